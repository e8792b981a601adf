import { expect, test } from 'vitest';
import { toCsv } from './csv.ts';

test.each(['=1+1', '+1', '-1', '@A1', '\t=1', '\r=1', '\n=1', '=1\nx', '=1\u2028x', '=1\r\nx', '\u2028=1'])(
  'the cell %j is not run by a spreadsheet',
  async (cell) => {
    const text = await toCsv(['name'], [[cell]]).text();
    expect(text.replaceAll('"', '')).toBe(`name\r\n'${cell}\r\n`);
  },
);
