import fc from 'fast-check';
import Papa from 'papaparse';
import { expect, test } from 'vitest';
import { csvRow } from './csv.ts';
import { escapeCell, isEscaped, restoreCell } from './formula-cells.ts';

const beginnings = [
  ...'=+-@＝＋－＠﹦﹢﹣﹫−',
  '\t',
  '\r',
  '\n',
  '\u2028',
  '\u2029',
  ' =',
  '\u200b=',
  '\ufeff+',
  "'=",
  "''@",
];

test.each(beginnings)(
  'a cell that begins with %j gets one apostrophe, which is removed again',
  (beginning) => {
    const cell = escapeCell(`${beginning}1+1`);
    expect(cell).toBe(`'${beginning}1+1`);
    expect(isEscaped(cell)).toBe(true);
    expect(restoreCell(cell)).toBe(`${beginning}1+1`);
  },
);

test.each([
  '',
  "'",
  "'quoted'",
  'Ada',
  'Lovelace, Ada',
  'a; b|c',
  'x;y=1',
  'a, "b"',
  'a=b',
  '1-2',
  "O'Brien",
  'ada@example.com',
])('%j is unchanged', (text) => {
  expect(escapeCell(text)).toBe(text);
  expect(restoreCell(text)).toBe(text);
});

test.each([
  ['x;=1+1;y', "x;'=1+1;y"],
  ['x, -1', "x,' -1"],
  ['x\t@a|+b', "x\t'@a|'+b"],
  ['x\n=1', "x\n'=1"],
  ['x;"=1+1"', `x;'"=1+1"`],
  ["x;'=1", "x;''=1"],
  ['x;\t=1', "x;'\t'=1"],
  [';＝1', ";'＝1"],
  ['=1;=2', "'=1;'=2"],
])('%j is written as %j for programs that separate by other characters', (text, cell) => {
  expect(escapeCell(text)).toBe(cell);
  expect(isEscaped(cell)).toBe(true);
  expect(restoreCell(cell)).toBe(text);
});

test('a long text without a formula takes no time', () => {
  for (const character of ['\t', ';', "'", ' ']) {
    const text = character.repeat(1_000_000);
    expect(restoreCell(escapeCell(text))).toBe(text);
  }
});

/** The cells of a file in a program that separates by a character, and knows quotes as in RFC 4180. */
function cellsIn(file: string, delimiter: string): string[] {
  return Papa.parse<string[]>(file, { delimiter }).data.flat();
}

test('every text is restored, and no cell of any program begins as a formula', () => {
  const piece = fc.oneof(
    fc.constantFrom(...beginnings, "'", ' ', 'a', ';', ',', '|', '"'),
    fc.string({ unit: 'grapheme', maxLength: 4 }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
      const text = pieces.join('');
      const cell = escapeCell(text);
      expect(restoreCell(cell)).toBe(text);
      for (const written of [',', ';', '\t', '|'] as const) {
        const row = csvRow(['ada@example.com', text, text], { delimiter: written });
        for (const read of [',', ';', '\t', '|']) {
          for (const each of cellsIn(row, read))
            expect([text, row, each.match(/^["\s\p{Cf}\p{Cc}]*[=+\-@＝＋－＠]/u)]).toEqual([text, row, null]);
        }
        expect(cellsIn(row, written).map(restoreCell)).toEqual(['ada@example.com', text, text]);
      }
    }),
    { numRuns: 500 },
  );
});
