import { expect, test } from 'vitest';
import { toCsv } from '../../parts/csv.ts';
import { decode, guessMapping, isEmail, outlooks, peopleOf, readTable, readText } from './people.ts';

test.each([
  ['ada@example.com', ['ada@example.com', null]],
  ['Ada Lovelace <ada@example.com>', ['ada@example.com', 'Ada Lovelace']],
  ['"Lovelace" <ada@example.com>', ['ada@example.com', 'Lovelace']],
  ['"Lovelace, Ada" <ada@example.com>', ['ada@example.com', 'Lovelace, Ada']],
  ["'Ada Lovelace' <mailto:ada@example.com>;", ['ada@example.com', "'Ada Lovelace'"]],
  ["O'Brien <o'brien@example.com>", ["o'brien@example.com", "O'Brien"]],
  ['mail ada@example.com.', ['ada@example.com', null]],
])('%s is found in a text', (text, [email, displayName]) => {
  expect(readText(text)).toEqual([{ line: 1, email, displayName, paid: false }]);
});

test('addresses stand apart by anything', () => {
  const found = readText('a@x.org, b@x.org;c@x.org\nd@x.org\te@x.org (f@x.org)').map(({ email }) => email);
  expect(found).toEqual(['a@x.org', 'b@x.org', 'c@x.org', 'd@x.org', 'e@x.org', 'f@x.org']);
  expect(readText('nobody here, @ alone')).toEqual([]);
});

test('each address has the name that stands right before it', () => {
  const found = readText('Ada <a@x.org>, b@x.org\nCarol C. <c@x.org> Dan <d@x.org>');
  expect(found.map(({ displayName }) => displayName)).toEqual(['Ada', null, 'Carol C.', 'Dan']);
  expect(found.map(({ line }) => line)).toEqual([1, 2, 3, 4]);
});

test('a long text without an end of line is read as well', () => {
  const text = `${'word '.repeat(100_000)}ada@example.com ${'x'.repeat(100_000)}`;
  expect(readText(text).map(({ email }) => email)).toEqual(['ada@example.com']);
});

test.each([
  '',
  'ada',
  'ada@',
  '@x.org',
  'a b@x.org',
  'ada@x..org',
  'ada@.org',
  `${'a'.repeat(65)}@x.org`,
  `a@${'b'.repeat(250)}.org`,
])('%s is no address', (text) => expect(isEmail(text)).toBe(false));

test('a file is read in the encoding that it has', () => {
  expect(decode(new TextEncoder().encode('\ufeffJosé'))).toBe('José');
  expect(decode(new Uint8Array([0x4a, 0x6f, 0x73, 0xe9]))).toBe('José');
  expect(decode(new Uint8Array([0xff, 0xfe, 0x4a, 0x00, 0xe9, 0x00]))).toBe('Jé');
  expect(decode(new Uint8Array([0xfe, 0xff, 0x00, 0x4a, 0x00, 0xe9]))).toBe('Jé');
  expect(decode(new Uint8Array([0x4a, 0x00, 0xe9, 0x00]))).toBe('Jé');
  expect(decode(new Uint8Array([0x00, 0x4a, 0x00, 0xe9]))).toBe('Jé');
  expect(decode(new Uint8Array())).toBe('');
});

test('what is no text is not read', () => {
  expect(decode(new Uint8Array([0x50, 0x4b, 0x03, 0x04, 0x00, 0x00, 0xff]))).toBe(null);
});

test.each([
  'E-Mail;Vorname;Nachname;Bezahlt\nada@x.org;Ada;Lovelace;ja\nbob@x.org;;;nein\n',
  'email,first name,last name,paid\r\nada@x.org,Ada,Lovelace,1\r\nbob@x.org,,,0\r\n\r\n',
  'Email\tName\tSurname\tPaid\nada@x.org\tAda\t"Lovelace"\tyes\nbob@x.org\t\t\t\n',
])('columns are known by their headings: %j', (text) => {
  const table = readTable(text);
  const { hasHeadings, mapping } = guessMapping(table);
  expect(peopleOf(table, hasHeadings, mapping)).toEqual([
    { line: 2, email: 'ada@x.org', displayName: 'Ada Lovelace', paid: true },
    { line: 3, email: 'bob@x.org', displayName: null, paid: false },
  ]);
});

test('a row has the number that it has in the file', () => {
  const table = readTable('\nemail;name\n\nada@x.org;Ada\n;\nbob@x.org;Bob');
  const { hasHeadings, mapping } = guessMapping(table);
  expect(peopleOf(table, hasHeadings, mapping).map(({ line, email }) => [line, email])).toEqual([
    [4, 'ada@x.org'],
    [6, 'bob@x.org'],
  ]);
});

test('a file that was saved here is read as what it holds', async () => {
  const rows = [
    ['+ada@x.org', '=Ada', 'true', 'why'],
    ["'bob'", '"Bob", Jr', 'false', ''],
  ];
  const file = toCsv(['email', 'displayName', 'paid', 'error'], rows);
  const table = readTable(decode(new Uint8Array(await file.arrayBuffer()))!);
  const { hasHeadings, mapping } = guessMapping(table);
  expect(peopleOf(table, hasHeadings, mapping)).toEqual([
    { line: 2, email: '+ada@x.org', displayName: '=Ada', paid: true },
    { line: 3, email: "'bob'", displayName: '"Bob", Jr', paid: false },
  ]);
});

test('without headings the column with addresses is found', () => {
  const table = readTable('Ada,ada@x.org\nBob,bob@x.org');
  const { hasHeadings, mapping } = guessMapping(table);
  expect([hasHeadings, mapping.email, mapping.name]).toEqual([false, 1, null]);
});

test('each row has one outlook', () => {
  const people = ['new@x.org', 'NEW@x.org', 'known@x.org', 'no address'].map((email, index) => ({
    line: index + 1,
    email,
    displayName: null,
    paid: false,
  }));
  expect(outlooks(people, new Set(['known@x.org']))).toEqual(['new', 'twice', 'exists', 'invalid']);
  expect(outlooks(people, undefined)).toEqual(['open', 'twice', 'open', 'invalid']);
});
