import { restoreCell } from '@gatehouse/contract/csv-cells';
import { directionControls } from '@gatehouse/contract/names';
import { parse } from 'papaparse';

/** Somebody to add, as read from what was typed or dropped. */
export interface Person {
  /** The row of the file, or the line of what was pasted; from 1. */
  readonly line: number;
  /** As it stood there. */
  readonly email: string;
  readonly displayName: string | null;
  readonly paid: boolean;
}

/** A row of a file, with its number there, from 1. */
export interface Row {
  readonly line: number;
  readonly cells: readonly string[];
}

/** The rows of a file that have something on them; the first may hold headings. */
export type Table = readonly Row[];

export const fields = ['email', 'name', 'lastName', 'paid'] as const;
export type Field = (typeof fields)[number];

/** Which column holds what; null for none. */
export type Mapping = Readonly<Record<Field, number | null>>;

// The form of an address that HTML has for its fields (WHATWG, section 4.10.5.1.5), with any letters in the domain.
const emailForm = /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[^\s@.,;:<>()[\]"]+(?:\.[^\s@.,;:<>()[\]"]+)*$/i;
const longestAddress = 254;
const longestLocalPart = 64;
const longestName = 200;
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
  const { delimiter } = parse<string[]>(text, {
    delimitersToGuess: [',', ';', '\t', '|'],
    preview: 20,
    skipEmptyLines: 'greedy',
  }).meta;
  return parse<string[]>(text, { delimiter })
    .data.map((cells, index) => ({ line: index + 1, cells }))
    .filter(({ cells }) => cells.some((cell) => cell.trim() !== ''));
}

const headings: Readonly<Record<Field, RegExp>> = {
  email: /^(e-?mail|mail|adresse|correo|courriel|メール)/i,
  name: /^(display ?name|name|full ?name|first ?name|vorname|pr[ée]nom|nombre|nom\b|名前|氏名)/i,
  lastName: /^(last ?name|surname|family ?name|nachname|nom de famille|apellidos?|姓)/i,
  paid: /^(paid|paying|bezahlt|zahlend|pay[ée]|pagado|pagando|有料)/i,
};

/** Guesses which column holds what: by the headings, or else by which one holds addresses. */
export function guessMapping(table: Table): { hasHeadings: boolean; mapping: Mapping } {
  const [first = [], second = []] = table.slice(0, 2).map(({ cells }) => cells);
  const hasHeadings = table.length > 0 && !first.some(isEmail);
  const sample = hasHeadings ? second : first;
  const find = (field: Field) => {
    const column = hasHeadings ? first.findIndex((cell) => headings[field].test(cell.trim())) : -1;
    return column === -1 ? null : column;
  };
  const byContent = sample.findIndex(isEmail);
  const email = find('email') ?? (byContent === -1 ? null : byContent);
  return {
    hasHeadings,
    mapping: { email, name: find('name'), lastName: find('lastName'), paid: find('paid') },
  };
}

/** What people and spreadsheets write for "yes" or "paying", in the languages of the dashboard. */
const yes = new RegExp(
  `^(?:${[
    '1|x|✓|✔|true|yes|y|paid|paying',
    'wahr|ja|j|bezahlt|zahlend|zahlt',
    'vrai|oui|o|pay[ée]e?|payante?',
    'verdadero|s[ií]|pagad[oa]|pagando|de pago',
    'はい|有料|真|○|〇|支払済み?|支払い済み',
  ].join('|')})$`,
  'i',
);

/** The people of a table. */
export function peopleOf(table: Table, hasHeadings: boolean, mapping: Mapping): Person[] {
  return table.slice(hasHeadings ? 1 : 0).map(({ line, cells }) => {
    const cell = (field: Field) => {
      const column = mapping[field];
      return column === null ? '' : restoreCell(cells[column] ?? '').trim();
    };
    return {
      line,
      email: cell('email'),
      displayName: [cell('name'), cell('lastName')].filter((part) => part !== '').join(' ') || null,
      paid: yes.test(cell('paid')),
    };
  });
}

/** What will become of somebody, as far as is known here: `open` where nobody has looked whether it is a member. */
export type Outlook = 'new' | 'open' | 'exists' | 'twice' | 'invalid' | 'nameless';

/** @param known the addresses, in lower case, that are members already; undefined while that is not known */
export function outlooks(people: readonly Person[], known: ReadonlySet<string> | undefined): Outlook[] {
  const seen = new Set<string>();
  return people.map(({ email, displayName }) => {
    const address = email.trim().toLowerCase();
    if (!isEmail(email)) return 'invalid';
    if (displayName !== null && !isName(displayName)) return 'nameless';
    if (seen.has(address)) return 'twice';
    seen.add(address);
    if (!known) return 'open';
    return known.has(address) ? 'exists' : 'new';
  });
}
