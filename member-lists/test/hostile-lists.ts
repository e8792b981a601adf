// Lists that no one has as members, made to cost their reader as much time and memory as possible.

export interface HostileList {
  readonly name: string;
  /** About so many characters. */
  readonly make: (length: number) => string;
  /** Whether the first megabyte of a longer one can be shown in a preview. */
  readonly hasBeginning: boolean;
}

const heading = 'email,name\n';
const repeat = (text: string) => (length: number) => text.repeat(Math.floor(length / text.length));

export const hostileLists: readonly HostileList[] = [
  { name: 'line breaks', make: repeat('\n'), hasBeginning: false },
  { name: 'line breaks of Windows', make: repeat('\r\n'), hasBeginning: false },
  { name: 'line breaks of old Macs', make: repeat('\r'), hasBeginning: false },
  { name: 'rows of a space', make: repeat(' \n'), hasBeginning: false },
  { name: 'rows of empty cells', make: repeat(`${','.repeat(499)}\n`), hasBeginning: false },
  { name: 'spaces', make: repeat(' '), hasBeginning: false },
  { name: 'line breaks after a row', make: (length) => heading + repeat('\n')(length), hasBeginning: false },
  { name: 'quotes', make: repeat('"'), hasBeginning: false },
  { name: 'a quote without an end', make: (length) => `"${repeat('a,b\n')(length)}`, hasBeginning: false },
  {
    name: 'a quote without an end after a row',
    make: (length) => `${heading}"${repeat('a,b\n')(length)}`,
    hasBeginning: false,
  },
  {
    name: 'quotes within quotes before spaces',
    make: (length) => `"${repeat('a"b')(length / 2)}${repeat(' ')(length / 2)}\n`,
    hasBeginning: false,
  },
  {
    name: 'spaces after quotes',
    make: (length) => repeat(`"a"${' '.repeat(900_000)}\n`)(Math.max(length, 900_004)),
    hasBeginning: true,
  },
  { name: 'columns', make: repeat(','), hasBeginning: false },
  { name: 'columns of quotes', make: repeat('"",'), hasBeginning: false },
  { name: 'rows of columns', make: repeat(`${'a,'.repeat(400)}\n`), hasBeginning: true },
  { name: 'a long cell', make: repeat('a'), hasBeginning: false },
  { name: 'rows without an address', make: (length) => heading + repeat('a\n')(length), hasBeginning: true },
  {
    name: 'rows with an empty address',
    make: (length) => heading + repeat(',a\n')(length),
    hasBeginning: true,
  },
  {
    name: 'rows with the same address',
    make: (length) => heading + repeat('a@b.co\n')(length),
    hasBeginning: true,
  },
  {
    name: 'rows with different addresses',
    make: (length) =>
      heading +
      Array.from({ length: length / 200 }, (_, index) => `${index}@example.org`.padStart(199)).join('\n'),
    hasBeginning: true,
  },
  {
    name: 'rows with as many addresses as are allowed',
    make: (length) =>
      `${heading}${Array.from({ length: Math.min(length / 20, 999_999) }, (_, index) => `${index}@a.co,n`).join('\n')}`,
    hasBeginning: true,
  },
  {
    name: 'rows with as many unknown names as are allowed',
    make: (length) =>
      `${heading}${Array.from({ length: Math.min(length / 20, 999_999) }, (_, index) => `${index}@a.co,#REF!`).join('\n')}`,
    hasBeginning: true,
  },
  { name: 'letters outside ASCII', make: repeat('é'), hasBeginning: false },
  {
    name: 'rows of words outside ASCII',
    make: (length) => heading + repeat('a@b.co,Zoë Jürgen Große Łódź 山田花子\n')(length),
    hasBeginning: true,
  },
  {
    name: 'rows with dates that could be swapped',
    make: (length) => `email,joined\n${repeat('a@b.co,03/04/2020\n')(length)}`,
    hasBeginning: true,
  },
  {
    name: 'rows with different words for the status',
    make: (length) =>
      `email,status\n${Array.from({ length: length / 20 }, (_, index) => `a@b.co,word${index}`).join('\n')}`,
    hasBeginning: true,
  },
  {
    name: 'rows with many names of groups',
    make: (length) => `email,groups\n${repeat(`a@b.co,${'g;'.repeat(5_000)}\n`)(length)}`,
    hasBeginning: true,
  },
  {
    name: 'rows with many addresses in a cell',
    make: (length) => heading + repeat(`"Ada <${'a@b.co> <'.repeat(100)}",n\n`)(length),
    hasBeginning: true,
  },
  {
    name: 'rows with a cell that begins like a time',
    make: (length) =>
      `email,registeredAt\n${repeat(`a@b.co,2026-12-31 12:00:00.${'0'.repeat(30_000)}\n`)(length)}`,
    hasBeginning: true,
  },
];

const cellLength = 32_000;
/** Beginnings and ends of values, between which a cell repeats something. */
const around = [
  ['', ''],
  ['2026-12-31 12:00:00.', ' UTC'],
  ['31. ', ' 2026'],
  ['"Ada" <', '>'],
  ['mailto:', '@b.co'],
  ['#', '!'],
] as const;

/** Cells that no one means, of the length that is allowed. */
export const hostileCells: readonly string[] = [
  '0',
  '1/',
  '1.',
  '12:',
  '-',
  ' ',
  '(',
  'a',
  'é',
  'ﷺ',
  'İ',
  '年',
  '\u200b',
  '\ud800',
  '@',
  'a@',
  'a@b ',
  'a@b.co;',
  '<',
  '>',
  '<a@b>',
  '"',
  "'",
  '\\"',
  '#',
  '¡',
  '/',
  '|',
  '.',
].flatMap((part) =>
  around.map(([start, end]) => {
    const times = Math.floor((cellLength - start.length - end.length) / part.length);
    return start + part.repeat(times) + end;
  }),
);
