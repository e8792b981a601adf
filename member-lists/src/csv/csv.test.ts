import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { csvRow, delimiterOf, partsOf, readRows } from './csv.ts';
import { restoreCell } from './formula-cells.ts';
import { InvalidCsv } from './invalid-csv.ts';

const read = async (text: string, delimiter = ',', partLength?: number) =>
  Array.fromAsync(readRows(partsOf(text, partLength), delimiter));
const cellsOf = async (text: string, delimiter?: string) =>
  (await read(text, delimiter)).map(({ cells }) => cells);

test.each(['=1+1', '+1', '-1', '@A1', '\t1', '\r1', '\n1', '=1\nx', '=1\u2028x', '=1\r\nx', '\u20281'])(
  'a spreadsheet does not run the cell %j as a formula',
  (cell) => expect(csvRow([cell]).replaceAll('"', '')).toBe(`'${cell}`),
);

test.each(['\t', '\r', '\n', '\u2028'])('a spreadsheet does not run a formula after %j', (gap) =>
  expect(csvRow([`${gap}=1`]).replaceAll('"', '')).toBe(`'${gap}'=1`),
);

test('raw cells are unchanged, for programs', () => {
  expect(csvRow(['=1+1', 'a,b', 'c'], { isRaw: true })).toBe('=1+1,"a,b",c');
});

describe('rows are read', () => {
  test.each([
    ['LF', '\n'],
    ['CR LF', '\r\n'],
    ['CR', '\r'],
  ])('with %s as line breaks', async (_, end) => {
    const text = `\uFEFFa,b${end}"c ""d""","e${end}f"${end}${end},${end}g,"h"${end}`;
    expect(await read(text)).toEqual([
      { line: 1, cells: ['a', 'b'] },
      { line: 2, cells: ['c "d"', `e${end}f`] },
      { line: 5, cells: ['g', 'h'] },
    ]);
  });

  test('also if two files with different line breaks were concatenated', async () => {
    expect(await cellsOf('a,b\r\nc,"d"\r\ne,f\ng,"h"\n')).toEqual([
      ['a', 'b'],
      ['c', 'd'],
      ['e', 'f'],
      ['g', 'h'],
    ]);
  });

  test('of an empty text', async () => {
    for (const text of ['', '\n\n', '\uFEFF', ' , \n']) expect(await read(text)).toEqual([]);
    expect(await cellsOf('a')).toEqual([['a']]);
  });

  test('with every written text, in chunks of any length', async () => {
    const cell = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 12 }),
      fc.string({ unit: fc.constantFrom(...'=+-@\',;"|\t \u200b\uFEFF\u2028a\n') }),
    );
    const row = fc.array(cell, { minLength: 1, maxLength: 4 });
    const someRows = fc.array(
      row.filter((cells) => cells.some((each) => each.trim() !== '')),
      { maxLength: 8 },
    );
    await fc.assert(
      fc.asyncProperty(
        someRows,
        fc.constantFrom(',', ';', '\t', '|'),
        fc.constantFrom('\n', '\r\n'),
        fc.integer({ min: 1, max: 40 }),
        fc.boolean(),
        async (rows, delimiter, end, partLength, isRaw) => {
          // A CR at the end of a cell could not be distinguished from a part of CR LF.
          fc.pre(!rows.flat().some((each) => each.includes('\r')));
          const text = rows.map((cells) => csvRow(cells, { delimiter, isRaw }) + end).join('');
          const found = await read(text, delimiter, partLength);
          const values = found.map(({ cells }) => (isRaw ? cells : cells.map(restoreCell)));
          expect(values).toEqual(rows);
        },
      ),
      { numRuns: 1_000 },
    );
  });
});

test.each([
  ['a,b\nc,"d\ne,f\n', 'quote_not_closed', 2],
  ['a,b\n\n"c"d,e\n', 'text_after_quote', 3],
  [`a\n"${'x\n'.repeat(700_000)}`, 'quote_not_closed', 2],
])('a text that is not CSV is rejected with its row (%#)', async (text, code, line) => {
  const error = await read(text, ',', 50_000).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(InvalidCsv);
  expect(error).toMatchObject({ code, line });
});

test.each([
  ['a,b\n1,2\n', ','],
  ['a;b\n1,5;2,5\n', ';'],
  ['a\tb, c\n1\t2\n', '\t'],
  ['a|b\n1|2\n', '|'],
  ['email\nada@example.com\n', ','],
  ['a,b,c\nx,1;2;3,y\n"a, ""b""",c\n', ','],
  ['', ','],
])('the delimiter of %j is %j', (text, delimiter) => expect(delimiterOf(text)).toBe(delimiter));

test.each([
  ['sep=;\r\na;b,c\r\n', ';', ['a', 'b,c']],
  ['\uFEFFsep=;\na;b\n', ';', ['a', 'b']],
  ['"sep=|"\na,b|c\n', '|', ['a,b', 'c']],
  ['sep=\\t\na,b\tc\n', '\t', ['a,b', 'c']],
  ['SEP=,\na;b,c\n', ',', ['a;b', 'c']],
])('the first line of %j gives the delimiter, and is no row', async (text, delimiter, cells) => {
  expect(delimiterOf(text)).toBe(delimiter);
  for (const partLength of [1, 3, 1_000])
    expect(await read(text, delimiter, partLength)).toEqual([{ line: 2, cells }]);
});
