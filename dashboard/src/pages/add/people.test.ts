import { expect, test } from 'vitest';
import { toCsv } from '../../parts/csv.ts';
import { decode, guessMapping, isEmail, outlooks, peopleOf, readTable } from './people.ts';
import { findColumns, unknownColumns } from './people-columns.ts';

/** An address, and whether somebody pays. */
const mapping = { email: 0, name: null, lastName: null, paid: 1, status: null, groups: null };

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
  const [ada, bob] = peopleOf(table, hasHeadings, mapping);
  expect(ada).toEqual({ line: 2, email: 'ada@x.org', displayName: 'Ada Lovelace', paid: true });
  // An empty cell says nothing.
  const paid = text.includes('\t') ? undefined : false;
  expect(bob).toEqual({ line: 3, email: 'bob@x.org', displayName: null, paid });
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
    ['dan@x.org', "'=Dan", 'false', ''],
    ['eve@x.org', '=EVE()\nx', 'false', ''],
  ];
  const file = toCsv(['email', 'displayName', 'paid', 'error'], rows);
  const table = readTable(decode(new Uint8Array(await file.arrayBuffer()))!);
  const { hasHeadings, mapping } = guessMapping(table);
  expect(peopleOf(table, hasHeadings, mapping)).toEqual([
    { line: 2, email: '+ada@x.org', displayName: '=Ada', paid: true },
    { line: 3, email: "'bob'", displayName: '"Bob", Jr', paid: false },
    { line: 4, email: 'dan@x.org', displayName: "'=Dan", paid: false },
    { line: 5, email: 'eve@x.org', displayName: '=EVE()\nx', paid: false },
  ]);
});

test('without headings the column with addresses is found', () => {
  const table = readTable('Ada,ada@x.org\nBob,bob@x.org');
  const { hasHeadings, mapping } = guessMapping(table);
  expect([hasHeadings, mapping.email, mapping.name]).toEqual([false, 1, null]);
});

test.each(['wahr', 'VRAI', 'Verdadero', 'TRUE', 'bezahlt', 'payé', 'pagado', 'sí', '有料', ' ja '])(
  '%s says that somebody pays',
  (cell) => {
    const [ada] = peopleOf([{ line: 1, cells: ['ada@x.org', cell] }], false, mapping);
    expect([ada!.paid, ada!.problem]).toEqual([true, undefined]);
  },
);

test.each(['falsch', 'FAUX', 'Falso', 'false', 'nein', 'non', 'no', '0', '無料', ' N '])(
  '%s says that somebody does not pay',
  (cell) => {
    const [ada] = peopleOf([{ line: 1, cells: ['ada@x.org', cell] }], false, mapping);
    expect([ada!.paid, ada!.problem]).toEqual([false, undefined]);
  },
);

test.each(['maybe', 'ja?', 'not ja', '2', 'paid later'])('%s says neither', (cell) => {
  const people = peopleOf([{ line: 1, cells: ['ada@x.org', cell] }], false, mapping);
  expect(people[0]!.problem).toEqual({ code: 'invalid_paid', values: { value: cell } });
  expect(outlooks(people, new Set())).toEqual(['wrong']);
});

test('groups, status and what else exports have are known, and other columns are named', () => {
  const headings = 'id,email,displayName,status,verified,paid,groups,groupsEndAt,Shoe size,error_code';
  const rows = String.raw`1,ada@x.org,Ada,blocked,true,,"A\;B; Choir ;A\\C;Choir",,38,x`;
  const table = readTable(`${headings}
${rows}
2,bob@x.org,,gone,,,,,,,extra`);
  const { hasHeadings, mapping } = guessMapping(table);
  const [ada, bob] = peopleOf(table, hasHeadings, mapping);
  expect(ada).toMatchObject({ status: 'blocked', groups: ['A;B', 'Choir', 'A\\C'], paid: undefined });
  expect(bob!.problem).toEqual({ code: 'invalid_row', values: { cells: 11, headings: 10 } });
  expect(unknownColumns(table[0]!.cells, mapping)).toEqual(['Shoe size']);
});

test('the name of a field goes before what only resembles it', () => {
  const mapping = findColumns([
    'Name of dog',
    'mailing list',
    'E-Mail',
    'full_name',
    'Gruppen',
    'groupsEndAt',
  ]);
  expect(mapping).toMatchObject({ email: 2, name: 3, groups: 4, paid: null });
});

test.each(['Ada\nLovelace', 'x'.repeat(201), 'Ada\ud800', 'Ada\u202e'])(
  'somebody with the name %j cannot be added',
  (displayName) => {
    const ada = { line: 1, email: 'ada@x.org', displayName, paid: false };
    const again = { ...ada, line: 2, displayName: 'x'.repeat(200) };
    expect(outlooks([ada, again], new Set())).toEqual(['nameless', 'new']);
  },
);

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
