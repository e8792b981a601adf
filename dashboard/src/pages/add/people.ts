import { parse } from 'papaparse';

/** Somebody to add, as read from what was typed or dropped. */
export interface Person {
  /** The line of the file, or the place in what was pasted; from 1. */
  readonly line: number;
  /** As it stood there. */
  readonly email: string;
  readonly displayName: string | null;
  readonly paid: boolean;
}

/** A file as rows of cells, the first of which may be headings. */
export type Table = readonly (readonly string[])[];

export const fields = ['email', 'name', 'lastName', 'paid'] as const;
export type Field = (typeof fields)[number];

/** Which column holds what; null for none. */
export type Mapping = Readonly<Record<Field, number | null>>;

// The form of an address that HTML has for its fields (WHATWG), with a dot in the domain: people mean the internet.
const emailForm = /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[^\s@.,;:<>()[\]"]+(?:\.[^\s@.,;:<>()[\]"]+)+$/i;
const inText = /(?:"?([^"<>,;\n\r\t]*)"?\s*<\s*)?([^\s<>,;"()]+@[^\s<>,;"()]+)\s*>?/g;

/** Whether a text looks like an address. The service has the last word. */
export function isEmail(text: string): boolean {
  return text.length <= 254 && emailForm.test(text.trim());
}

/** Finds the addresses in a text, and the names that stand before them: `Ada Lovelace <ada@example.com>, bob@…`. */
export function readText(text: string): Person[] {
  return [...text.matchAll(inText)].map(([, name, email], index) => ({
    line: index + 1,
    email: email!.replace(/[.:]+$/, ''),
    displayName: name?.trim() || null,
    paid: false,
  }));
}

/** Reads a file as text: UTF-8, UTF-16 with its mark, or what old spreadsheets on Windows write. */
export function decode(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** Reads CSV (RFC 4180), with whatever stands between its cells. Lines with nothing on them are left out. */
export function readTable(text: string): Table {
  return parse<string[]>(text, { skipEmptyLines: 'greedy', delimitersToGuess: [',', ';', '\t', '|'] }).data;
}

const headings: Readonly<Record<Field, RegExp>> = {
  email: /^(e-?mail|mail|adresse|correo|courriel|メール)/i,
  name: /^(display ?name|name|full ?name|first ?name|vorname|pr[ée]nom|nombre|nom\b|名前|氏名)/i,
  lastName: /^(last ?name|surname|family ?name|nachname|nom de famille|apellidos?|姓)/i,
  paid: /^(paid|paying|bezahlt|zahlend|pay[ée]|pagado|pagando|有料)/i,
};

/** Guesses which column holds what: by the headings, or else by which one holds addresses. */
export function guessMapping(table: Table): { hasHeadings: boolean; mapping: Mapping } {
  const [first = [], second = []] = table;
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

const yes = /^(1|true|yes|y|x|ja|oui|s[ií]|はい|paid|✓)$/i;

/** The people of a table. */
export function peopleOf(table: Table, hasHeadings: boolean, mapping: Mapping): Person[] {
  const cell = (row: readonly string[], field: Field) => {
    const column = mapping[field];
    return column === null ? '' : (row[column] ?? '').trim();
  };
  const skipped = hasHeadings ? 1 : 0;
  return table.slice(skipped).map((row, index) => ({
    line: index + skipped + 1,
    email: cell(row, 'email'),
    displayName: [cell(row, 'name'), cell(row, 'lastName')].filter((part) => part !== '').join(' ') || null,
    paid: yes.test(cell(row, 'paid')),
  }));
}

/** What will become of somebody, as far as is known here. */
export type Outlook = 'new' | 'exists' | 'twice' | 'invalid';

/** @param known the addresses, in lower case, that are members already */
export function outlooks(people: readonly Person[], known: ReadonlySet<string>): Outlook[] {
  const seen = new Set<string>();
  return people.map(({ email }) => {
    const address = email.trim().toLowerCase();
    if (!isEmail(email)) return 'invalid';
    if (seen.has(address)) return 'twice';
    seen.add(address);
    return known.has(address) ? 'exists' : 'new';
  });
}
