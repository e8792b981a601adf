import { maxListCellLength, maxListCells, maxListRowLength } from '@gatehouse/contract/limits';
import { CsvError, parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hostileLists } from '../../test/hostile-lists.ts';
import { delimiterOf, partsOf, readRows } from './csv.ts';
import { InvalidCsv } from './invalid-csv.ts';

const rowsOf = (text: string, options = {}) => Array.fromAsync(readRows(partsOf(text), ',', options));
const errorOf = async (text: string, options = {}) => {
  const error = await rowsOf(text, options).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(InvalidCsv);
  return error as InvalidCsv;
};

/** The rows according to an independent parser; undefined if it rejects the text. */
function parsed(text: string): string[][] | undefined {
  try {
    return parse(text, { record_delimiter: '\n', relax_column_count: true });
  } catch (error) {
    if (error instanceof CsvError) return undefined;
    throw error;
  }
}

test('every text that another parser accepts is read in the same way', async () => {
  const text = fc.string({ unit: fc.constantFrom(...'a"", ;\n\n'), maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(text, async (text) => {
      const records = parsed(text);
      fc.pre(records !== undefined);
      const expected = records!.flatMap((cells, index) =>
        cells.some((cell) => cell.trim() !== '') ? [{ line: index + 1, cells }] : [],
      );
      expect(await rowsOf(text)).toEqual(expected);
    }),
    { numRuns: 3_000 },
  );
});

describe('a row is rejected', () => {
  const long = 'a'.repeat(maxListCellLength);

  test.each([
    ['too_many_cells', `a\n${','.repeat(maxListCells)}`, 2],
    ['cell_too_long', `a\n\n${long}a`, 3],
    ['cell_too_long', `a\n"${long}"\n`, 2],
    ['quote_not_closed', `"${long}${long}`, 1],
    ['row_too_long', `a\n${`${long},`.repeat(11)}\n`, 2],
    ['row_too_long', `a\n"b"${' '.repeat(maxListRowLength)}`, 2],
  ] as const)('if it is %s', async (code, text, line) => {
    expect(await errorOf(text)).toMatchObject({ code, line });
    for (const length of [1_000, 70_000]) {
      const error = await Array.fromAsync(readRows(partsOf(text, length), ',')).catch((thrown) => thrown);
      expect(error).toMatchObject({ code, line });
    }
  });

  test('but not if it is as large as allowed', async () => {
    expect(await rowsOf(`${','.repeat(maxListCells - 1)}a\n`)).toHaveLength(1);
    expect(await rowsOf(`${long},"${long.slice(1)}"`)).toHaveLength(1);
  });

  test('if there are too many, empty ones included', async () => {
    expect(await rowsOf('a\n\n \nb\n', { maxRows: 4 })).toHaveLength(2);
    expect(await errorOf('a\n\n \nb\n\n', { maxRows: 4 })).toMatchObject({ code: 'too_many_rows', line: 5 });
  });
});

test('the last row of a beginning is left out, because it may not be complete', async () => {
  const read = async (text: string) => (await rowsOf(text, { isBeginning: true })).map(({ cells }) => cells);
  expect(await read('a,b\nc,"d\ne')).toEqual([['a', 'b']]);
  expect(await read('a,b\nc,d')).toEqual([['a', 'b']]);
  expect(await read('a,b\nc,d\n')).toEqual([
    ['a', 'b'],
    ['c', 'd'],
  ]);
});

test('other work of the event loop is done while a long text is read', async () => {
  let turns = 0;
  let isReading = true;
  const count = () => {
    turns += 1;
    if (isReading) setImmediate(count);
  };
  setImmediate(count);
  expect(await rowsOf('\n'.repeat(3_000_000))).toEqual([]);
  isReading = false;
  expect(turns).toBeGreaterThan(10);
});

describe('a hostile list is read up to its last row or to the first one that is too large:', () => {
  test.each(hostileLists)('$name', async ({ make }) => {
    const text = make(500_000);
    let [widest, last] = [0, 0];
    try {
      const rows = readRows(partsOf(text), delimiterOf(text), { maxRows: 100_000 });
      for await (const { cells, line } of rows) [widest, last] = [Math.max(widest, cells.length), line];
    } catch (error) {
      expect(error).toBeInstanceOf(InvalidCsv);
    }
    expect(widest).toBeLessThanOrEqual(maxListCells);
    expect(last).toBeLessThanOrEqual(100_000);
  });
});
