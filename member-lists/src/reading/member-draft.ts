import type { MemberStatus } from '@gatehouse/client';
import { normalizeEmail } from '@gatehouse/contract/email-address';
import { normalizeDisplayName } from '@gatehouse/contract/names';
import { type Columns, type Field, fields } from '../columns/find-columns.ts';
import type { Row } from '../csv/csv.ts';
import { isEscaped, restoreCell } from '../csv/formula-cells.ts';
import { type NamedGroup, parseGroups, parsePaid, parseStatus, parseTime } from '../values/values.ts';

/** Maximum number of groups in a row. */
export const maxGroupsPerRow = 100;
const maxShownLength = 40;

/** The reason why a row fails, from the list or from the service: a code, and the values for a message about it. */
export interface Reason {
  readonly code: string;
  readonly values?: Readonly<Record<string, string | number>>;
  /** The message of the service. */
  readonly message?: string;
}

/** The values of a member in a row of a list. An empty cell is undefined. */
export interface MemberDraft {
  /** The row of the file or the line of the pasted text, from 1. */
  readonly line: number;
  /** All cells of the row, unchanged; empty if there is no file. */
  readonly cells: readonly string[];
  /** The address as written in the row. */
  readonly email: string;
  /** The normalized address; null if it is not valid. */
  readonly address: string | null;
  readonly displayName: string | undefined;
  readonly paid: boolean | undefined;
  readonly status: MemberStatus | undefined;
  readonly groups: readonly NamedGroup[];
  /** When the member registered in another system; used only for new members. */
  readonly registeredAt: string | undefined;
  /** Why the row is invalid. */
  readonly problem: Reason | undefined;
  /** Whether an apostrophe that escaped a formula was removed from a value. */
  readonly wasEscaped: boolean;
}

export interface ReadingOptions {
  readonly columns: Columns;
  /** The number of headings; undefined if the list has none. */
  readonly headingCount: number | undefined;
  /** Whether cells are used unchanged, including an apostrophe that escapes a formula. */
  readonly isRaw?: boolean;
  /** The current time, which limits the time of registration. */
  readonly now: Date;
}

/** Reads the member in a row. */
export function readDraft(
  row: Row,
  { columns, headingCount, isRaw = false, now }: ReadingOptions,
): MemberDraft {
  const raw = (field: Field) => row.cells[columns[field] ?? -1] ?? '';
  const value = (field: Field) => (isRaw ? raw(field) : restoreCell(raw(field))).trim();
  const displayName = [value('displayName'), value('lastName')].filter((part) => part !== '').join(' ');
  const [paid, status, registeredAt] = [value('paid'), value('status'), value('registeredAt')];
  const groups = parseGroups(value('groups'), value('groupsEndAt'));
  const draft = {
    ...newDraft(row.line, value('email'), displayName),
    cells: row.cells,
    paid: paid === '' ? undefined : parsePaid(paid),
    status: status === '' ? undefined : parseStatus(status),
    groups: groups ?? [],
    registeredAt: registeredAt === '' ? undefined : pastTime(registeredAt, now),
    wasEscaped: !isRaw && fields.some((field) => isEscaped(raw(field))),
  };
  const rest = headingCount === undefined ? [] : row.cells.slice(headingCount);
  const isWide = rest.some((cell) => cell.trim() !== '');
  const problem = isWide
    ? { code: 'invalid_row', values: { cells: row.cells.length, headings: headingCount! } }
    : (draft.problem ?? problemOf(draft, { paid, status, registeredAt }, groups === undefined));
  return { ...draft, problem };
}

/** A member who was typed or pasted. */
export function newDraft(line: number, email: string, displayName: string): MemberDraft {
  const address = normalizeEmail(email);
  const name = normalizeDisplayName(displayName);
  const problem =
    address === null
      ? { code: 'invalid_email' }
      : name === undefined
        ? { code: 'invalid_display_name' }
        : undefined;
  return {
    ...{ line, cells: [], email, address, displayName: displayName.trim() || undefined },
    ...{ paid: undefined, status: undefined, groups: [], registeredAt: undefined },
    ...{ problem, wasEscaped: false },
  };
}

function problemOf(
  draft: MemberDraft,
  written: Readonly<Record<'paid' | 'status' | 'registeredAt', string>>,
  hasInvalidEnds: boolean,
): Reason | undefined {
  for (const [field, code] of [
    ['paid', 'invalid_paid'],
    ['status', 'invalid_status'],
    ['registeredAt', 'invalid_registered_at'],
  ] as const) {
    if (written[field] !== '' && draft[field] === undefined)
      return { code, values: { value: written[field].slice(0, maxShownLength).toWellFormed() } };
  }
  if (hasInvalidEnds) return { code: 'invalid_group_ends' };
  return draft.groups.length > maxGroupsPerRow ? { code: 'too_many_groups' } : undefined;
}

function pastTime(cell: string, now: Date): string | undefined {
  const time = parseTime(cell);
  return time !== undefined && time <= now.toISOString() ? time : undefined;
}
