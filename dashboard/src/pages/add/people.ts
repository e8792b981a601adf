import type { MemberStatus } from '@gatehouse/client';
import { restoreCell } from '@gatehouse/contract/csv-cells';
import { directionControls } from '@gatehouse/contract/names';
import { parse } from 'papaparse';
import { asciiQuery } from '../../parts/address.ts';
import {
  type Field,
  findColumns,
  type Mapping,
  parsePaid,
  parseStatus,
  splitGroupNames,
} from './people-columns.ts';

/** Somebody to add, as read from what was typed or dropped. */
export interface Person {
  /** The row of the file, or the line of what was pasted; from 1. */
  readonly line: number;
  /** As it stood there. */
  readonly email: string;
  /** Null where nothing is said of it. */
  readonly displayName: string | null;
  /** Undefined where nothing is said of it, as are those below. */
  readonly paid?: boolean | undefined;
  readonly status?: MemberStatus | undefined;
  /** The names of groups. */
  readonly groups?: readonly string[] | undefined;
  /** Why the row cannot be used. */
  readonly problem?: Problem | undefined;
}

/** What is wrong with a row: a code, and what a sentence about it names. */
export interface Problem {
  readonly code: string;
  readonly values?: Readonly<Record<string, string | number>>;
}

/** A row of a file, with its number there, from 1. */
export interface Row {
  readonly line: number;
  readonly cells: readonly string[];
}

/** The rows of a file that have something on them; the first may hold headings. */
export type Table = readonly Row[];

// The form of an address that HTML has for its fields (WHATWG, section 4.10.5.1.5), with any letters in the domain.
const emailForm = /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[^\s@.,;:<>()[\]"]+(?:\.[^\s@.,;:<>()[\]"]+)*$/i;
const longestAddress = 254;
const longestLocalPart = 64;
const longestName = 200;
/** The service refuses a request as a whole for a value that is longer; a shorter one it judges by itself. */
const longestValue = 1_000;
const longestShown = 40;
/** As many as the service takes for one member. */
export const maxGroups = 100;

/** Whether a text looks like an address. The service has the last word. */
export function isEmail(text: string): boolean {
  const address = text.trim();
  return (
    address.length <= longestAddress && address.indexOf('@') <= longestLocalPart && emailForm.test(address)
  );
}

/** Whether the service takes a text as a name. */
function isName(text: string): boolean {
  return (
    [...text.trim()].length <= longestName &&
    !/[\p{Cc}\u2028\u2029]/u.test(text.trim()) &&
    !directionControls.test(text) &&
    text.isWellFormed()
  );
}

/** Reads a file as text: UTF-8, UTF-16, or what old spreadsheets on Windows write. Null for what is no text. */
export function decode(bytes: Uint8Array): string | null {
  const text = textOf(bytes);
  return text.includes('\0') ? null : text;
}

function textOf(bytes: Uint8Array): string {
  const [first, second] = bytes;
  // Without its mark, UTF-16 shows by the empty half of the first letter.
  if ((first === 0xff && second === 0xfe) || (first && second === 0))
    return new TextDecoder('utf-16le').decode(bytes);
  if ((first === 0xfe && second === 0xff) || (first === 0 && second))
    return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** Reads CSV (RFC 4180), with whatever stands between its cells. */
export function readTable(text: string): Table {
  return parse<string[]>(text, { delimiter: delimiterOf(text) })
    .data.map((cells, index) => ({ line: index + 1, cells }))
    .filter(({ cells }) => cells.some((cell) => cell.trim() !== ''));
}

/** What stands between the cells of a CSV file. */
export function delimiterOf(text: string): string {
  return parse<string[]>(text, {
    delimitersToGuess: [',', ';', '\t', '|'],
    preview: 20,
    skipEmptyLines: 'greedy',
  }).meta.delimiter;
}

/** Guesses which column holds what: by the headings, or else by which one holds addresses. */
export function guessMapping(table: Table): { hasHeadings: boolean; mapping: Mapping } {
  const [first = [], second = []] = table.slice(0, 2).map(({ cells }) => cells);
  const hasHeadings = table.length > 0 && !first.some(isEmail);
  const sample = hasHeadings ? second : first;
  const byContent = sample.findIndex(isEmail);
  const mapping = findColumns(hasHeadings ? first : []);
  return {
    hasHeadings,
    mapping: { ...mapping, email: mapping.email ?? (byContent === -1 ? null : byContent) },
  };
}

/** The people of a table. */
export function peopleOf(table: Table, hasHeadings: boolean, mapping: Mapping): Person[] {
  const headings = hasHeadings ? table[0]?.cells.length : undefined;
  return table.slice(hasHeadings ? 1 : 0).map((row) => toPerson(row, headings, mapping));
}

/** @param headings how many there are; undefined where there are none */
function toPerson({ line, cells }: Row, headings: number | undefined, mapping: Mapping): Person {
  const cell = (field: Field) => {
    const column = mapping[field];
    return column === null ? '' : restoreCell(cells[column] ?? '').trim();
  };
  const [paid, status, groups] = [cell('paid'), cell('status'), splitGroupNames(cell('groups'))];
  const person: Person = {
    line,
    email: cell('email'),
    displayName: [cell('name'), cell('lastName')].filter((part) => part !== '').join(' ') || null,
    paid: paid === '' ? undefined : parsePaid(paid),
    status: status === '' ? undefined : parseStatus(status),
    groups: groups.length === 0 ? undefined : groups,
  };
  const isWide = headings !== undefined && cells.slice(headings).some((rest) => rest.trim() !== '');
  if (isWide)
    return { ...person, problem: { code: 'invalid_row', values: { cells: cells.length, headings } } };
  return { ...person, problem: problemOf(person, paid, status) };
}

function problemOf(person: Person, paid: string, status: string): Problem | undefined {
  const { email, displayName, groups = [] } = person;
  if (email.length > longestValue || !email.isWellFormed()) return { code: 'invalid_email' };
  if (displayName && (displayName.length > longestValue || !displayName.isWellFormed())) {
    return { code: 'invalid_display_name' };
  }
  if (paid !== '' && person.paid === undefined) {
    return { code: 'invalid_paid', values: { value: paid.slice(0, longestShown) } };
  }
  if (status !== '' && person.status === undefined) {
    return { code: 'invalid_status', values: { value: status.slice(0, longestShown) } };
  }
  return groups.length > maxGroups ? { code: 'too_many_groups' } : undefined;
}

/** What will become of somebody, as far as is known here: `open` where nobody has looked whether it is a member. */
export type Outlook = 'new' | 'open' | 'exists' | 'twice' | 'invalid' | 'nameless' | 'wrong';

/** @param known the addresses, in lower case, that are members already; undefined while that is not known */
export function outlooks(people: readonly Person[], known: ReadonlySet<string> | undefined): Outlook[] {
  const seen = new Set<string>();
  return people.map(({ email, displayName, problem }) => {
    const address = addressKey(email);
    if (!isEmail(email)) return 'invalid';
    if (displayName !== null && !isName(displayName)) return 'nameless';
    if (problem) return 'wrong';
    if (seen.has(address)) return 'twice';
    seen.add(address);
    if (!known) return 'open';
    return known.has(email.trim().toLowerCase()) ? 'exists' : 'new';
  });
}

/** One text for every way to write an address, as the service keeps it. */
export function addressKey(email: string): string {
  const address = email.trim().toLowerCase();
  return asciiQuery(address) ?? address;
}
