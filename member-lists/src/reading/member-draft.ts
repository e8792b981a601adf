import type { MemberStatus } from '@gatehouse/client';
import type { Field } from '../columns/fields.ts';
import type { Row } from '../csv/csv.ts';
import { isEscaped, restoreCell } from '../csv/formula-cells.ts';
import { isUnknownCell } from '../text/unknown-cells.ts';
import { readAddress } from '../values/addresses.ts';
import { joinGroupNames, type NamedGroup, parseGroups } from '../values/group-names.ts';
import { ownSeparator } from '../values/separators.ts';
import { parseEnd } from '../values/times.ts';
import { foldWord, meaningOf, type StatusMeaning } from '../values/word-meanings.ts';
import { parsePaid } from '../values/words.ts';
import type { ListReading } from './list-reading.ts';
import { type ListedValues, noValues, readValues } from './listed-values.ts';
import { stateOf } from './member-state.ts';
import type { Reason } from './reasons.ts';
import { usedColumns } from './survey.ts';
import { type CellOf, unclearField, unclearGroupsCell } from './unclear-cells.ts';
import { endsProblem, identityProblem, shown, unknownValue } from './value-problems.ts';

/** Maximum number of groups in a row. */
export const maxGroupsPerRow = 100;

/** The values of a member in a row of a list. An empty cell is undefined. */
export interface MemberDraft extends ListedValues {
  /** The row of the file or the line of the pasted text, from 1. */
  readonly line: number;
  /** All cells of the row, unchanged; empty if there is no file. */
  readonly cells: readonly string[];
  /** The address as written in the row. */
  readonly email: string;
  /** The one address in it, normalized; null if it has none or several. */
  readonly address: string | null;
  readonly status: MemberStatus | undefined;
  readonly groups: readonly NamedGroup[];
  /** Whether the row is not imported because of its state in the other system. */
  readonly isLeftOut: boolean;
  /** The line of an earlier row of the same person, which has the groups of this row too. */
  readonly mergedInto: number | undefined;
  /** Why the row is invalid. */
  readonly problem: Reason | undefined;
  /** What is not used of a row that is imported. */
  readonly notes: readonly Reason[];
  /** Whether an apostrophe that escaped a formula was removed from a value. */
  readonly wasEscaped: boolean;
}

/** What is needed to read the rows of a list, besides its reading. */
export interface RowContext {
  /** The number of headings; undefined if the list has none. */
  readonly headingCount: number | undefined;
  /** Whether cells are used unchanged, including an apostrophe that escapes a formula. */
  readonly isRaw?: boolean;
  /** The current time, which limits the time of registration. */
  readonly now: Date;
  /** The names of the groups of the site: one of them may contain a separator. */
  readonly groupNames?: ReadonlySet<string>;
}

/** Reads the member in a row. */
export function readDraft(row: Row, reading: ListReading, context: RowContext): MemberDraft {
  const { columns } = reading;
  const { isRaw = false, now, headingCount } = context;
  const raw = (column: number | null) => row.cells[column ?? -1] ?? '';
  const cell = (column: number | null) => (isRaw ? raw(column) : restoreCell(raw(column))).trim();
  const value = (field: Field) => cell(columns[field]);
  const used = [...usedColumns(reading)];
  const status = value('status');
  const groups = groupsOf(reading, cell, context);
  const meaning = isUnknownCell(status) ? undefined : meaningOf<StatusMeaning>(reading.statusWords, status);
  const state = stateOf(meaning, reading, cell, now);
  const { values, problem: valueProblem, note } = readValues(value, reading, now);
  const { displayName, ...others } = values;
  const draft = {
    ...newDraft(row.line, value('email'), displayName ?? ''),
    ...others,
    cells: withoutSecrets(row.cells, reading),
    status: state === 'leftOut' ? undefined : state,
    groups: groups ?? [],
    notes: note ? [note] : noNotes,
    isLeftOut: state === 'leftOut',
    wasEscaped: !isRaw && used.some((column) => isEscaped(raw(column))),
  };
  const rest = headingCount === undefined ? [] : row.cells.slice(headingCount);
  if (rest.some((each) => each.trim() !== '')) {
    const values = { cells: row.cells.length, headings: headingCount! };
    return { ...draft, problem: { code: 'invalid_row', values } };
  }
  const unknown = unknownValue(reading, cell, draft.groups);
  if (unknown) return { ...draft, problem: unknown };
  // Nothing else of someone who is left out is needed.
  if (draft.isLeftOut) return draft;
  const problem =
    unclearProblem(reading, cell, context) ??
    (draft.address === null ? draft.problem : undefined) ??
    wordProblem({ paid: value('paid'), status }, draft.paid, meaning) ??
    (groups === undefined ? endsProblem(value('groupsEndAt'), reading) : undefined) ??
    (draft.groups.length > maxGroupsPerRow ? { code: 'too_many_groups' } : undefined) ??
    valueProblem ??
    // A source keeps people whose name it cannot use, so nothing else may be hidden behind that.
    draft.problem;
  return { ...draft, problem };
}

/** What no one has said about the list, if the row needs it. */
function unclearProblem(reading: ListReading, cell: CellOf, { groupNames }: RowContext): Reason | undefined {
  const field = unclearField(reading, cell);
  if (field !== undefined) return { code: 'unclear_column', values: { field } };
  const value = unclearGroupsCell(reading, cell, groupNames);
  if (value === undefined) return undefined;
  return { code: 'unclear_groups', values: { value: shown(value) } };
}

/** The groups of a row from all columns that name groups; undefined if the ends are invalid. */
function groupsOf(
  reading: ListReading,
  cell: CellOf,
  { now, groupNames }: RowContext,
): NamedGroup[] | undefined {
  const { columns, nameColumns, groupColumns, endedColumns, groupSeparator } = reading;
  const ends = endsOf(reading, cell, now);
  const namesIn = (column: number | null, endsHere: string) =>
    parseGroups(cell(column), endsHere, groupSeparator, reading, groupNames);
  const isEnded = (column: number) => endedColumns.includes(column);
  const hasOwnEnds = columns.groups === null || endedColumns.length === 0 || isEnded(columns.groups);
  const named = namesIn(columns.groups, hasOwnEnds ? ends : '');
  if (named === undefined) return undefined;
  // Several ends are those of the groups in the column of groups.
  const endOfAll = ends.includes(ownSeparator) ? '' : ends;
  const endsAt = (column: number) => (isEnded(column) ? endOfAll : '');
  const others = nameColumns.map((column) => namesIn(column, endsAt(column)));
  const marked = groupColumns
    .filter(({ column }) => parsePaid(cell(column)) === true)
    .map(({ column, name }) => parseGroups(joinGroupNames([name]), endsAt(column), ownSeparator, reading));
  if ([...others, ...marked].includes(undefined)) return undefined;
  const groups = new Map<string, NamedGroup>();
  for (const group of [named, ...others, ...marked].flatMap((each) => each ?? [])) {
    const isGroup = !reading.noGroupWords.includes(foldWord(group.name));
    if (isGroup && !groups.has(group.name)) groups.set(group.name, group);
  }
  return [...groups.values()];
}

/** The cell with the ends of the groups, or the further end that counts instead. */
function endsOf(reading: ListReading, cell: (column: number | null) => string, now: Date): string {
  const ends = cell(reading.columns.groupsEndAt);
  const latest = reading.furtherEndColumns
    .map((column) => parseEnd(cell(column), reading) ?? '')
    .reduce((one, other) => (one > other ? one : other), '');
  if (latest <= now.toISOString()) return ends;
  const end = ends === '' ? '' : parseEnd(ends, reading);
  return typeof end === 'string' && end < latest ? latest : ends;
}

/** The cells of a row, without hashes of passwords and other secrets. */
function withoutSecrets(cells: readonly string[], { secretColumns }: ListReading): readonly string[] {
  if (secretColumns.length === 0) return cells;
  return cells.map((text, column) => (secretColumns.includes(column) ? '' : text));
}

/** A member who was typed or pasted. */
export function newDraft(line: number, email: string, displayName: string): MemberDraft {
  const written = readAddress(email);
  const name = displayName.trim() || (written.address === null ? '' : written.name);
  return {
    line,
    cells: [],
    email,
    address: written.address,
    ...noValues,
    displayName: name || undefined,
    status: undefined,
    groups: [],
    isLeftOut: false,
    mergedInto: undefined,
    problem: identityProblem(email, written, name),
    notes: noNotes,
    wasEscaped: false,
  };
}

const noNotes: readonly Reason[] = [];

function wordProblem(
  written: Readonly<Record<'paid' | 'status', string>>,
  paid: boolean | undefined,
  meaning: StatusMeaning | undefined,
): Reason | undefined {
  if (written.paid !== '' && paid === undefined)
    return { code: 'invalid_paid', values: { value: shown(written.paid) } };
  if (written.status !== '' && meaning === undefined)
    return { code: 'invalid_status', values: { value: shown(written.status) } };
  return undefined;
}
