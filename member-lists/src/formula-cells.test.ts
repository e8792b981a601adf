import fc from 'fast-check';
import { expect, test } from 'vitest';
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

test.each(['', "'", "'quoted'", 'Ada', 'a=b', '1-2', "O'Brien", 'ada@example.com'])(
  '%j is unchanged',
  (text) => {
    expect(escapeCell(text)).toBe(text);
    expect(restoreCell(text)).toBe(text);
  },
);

test('every text is restored, and no cell begins as a formula', () => {
  const piece = fc.oneof(
    fc.constantFrom(...beginnings, "'", ' ', 'a'),
    fc.string({ unit: 'grapheme', maxLength: 4 }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
      const text = pieces.join('');
      const cell = escapeCell(text);
      expect(restoreCell(cell)).toBe(text);
      expect(cell).not.toMatch(/^[\s\p{Cf}\p{Cc}]*[=+\-@＝＋－＠]/u);
    }),
    { numRuns: 500 },
  );
});
