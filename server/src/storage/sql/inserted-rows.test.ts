import fc from 'fast-check';
import sql, { raw } from 'sql-template-tag';
import { beforeEach, expect, test } from 'vitest';
import { forEachStore } from '../../../test/stores.ts';
import type { Database } from '../database.ts';
import { openDatabase } from '../open.ts';
import type { Value } from './statement.ts';

const columns = ['number', 'name', 'at', 'amount'];

/** Few different values, so that a column often has the same value in all rows. */
const row = fc.tuple(
  fc.constantFrom('', 'Ada', 'null', '$1', "O'Neill\\", '数'),
  fc.constantFrom(null, '2026-01-31T09:30:00.000Z', '2026-01-31T09:30:00.001Z'),
  fc.constantFrom(null, 0, 1),
);

/** PostgreSQL inserts few and many rows with different statements, and more than 100 with several. */
const rowLists = fc.oneof(
  fc.array(row, { minLength: 1, maxLength: 25 }),
  fc.array(row, { minLength: 26, maxLength: 60 }),
  fc.array(row, { minLength: 95, maxLength: 205, size: 'max' }),
);

forEachStore((store) => {
  let database: Database;

  beforeEach(async () => {
    database = openDatabase(await store.migratedUrl());
    const time = store.dialect === 'postgres' ? 'timestamptz(3)' : 'TEXT';
    await database.transaction((tx) =>
      tx.run(
        sql`CREATE TABLE rows (number integer PRIMARY KEY, name text, at ${raw(time)}, amount integer CHECK (amount < 9))`,
      ),
    );
    return () => database.close();
  });

  const insert = (rows: Value[][], ending?: string) =>
    database.transaction((tx) => tx.insert<{ number: number }>('rows', columns, rows, ending));

  test('rows are inserted as they are, whether few or many, alike or different', async () => {
    await fc.assert(
      fc.asyncProperty(rowLists, fc.boolean(), async (rows, alike) => {
        await database.transaction((tx) => tx.run(sql`DELETE FROM rows`));
        const numbered = rows.map((values, number): Value[] => [number, ...(alike ? rows[0]! : values)]);
        await insert(numbered);
        const stored = await database.all(sql`SELECT number, name, at, amount FROM rows ORDER BY number`);
        expect(stored.map((it) => Object.values(it as object))).toEqual(numbered);
      }),
      { numRuns: 40 },
    );
  });

  test('of many rows, those that conflict are left out, and the others are returned', async () => {
    const rows = Array.from({ length: 500 }, (_, number): Value[] => [number % 300, 'Ada', null, 1]);
    const returned = await insert(rows, 'ON CONFLICT DO NOTHING RETURNING number');
    expect(returned.map(({ number }) => number)).toEqual(Array.from({ length: 300 }, (_, number) => number));
    expect(await insert(rows, 'ON CONFLICT DO NOTHING RETURNING number')).toEqual([]);
  });

  test.each([0, 150, 249])('when row %i of 250 is rejected, none is inserted', async (rejected) => {
    const rows = Array.from({ length: 250 }, (_, number): Value[] => [number, 'Ada', null, 1]);
    rows[rejected] = [rejected, 'Ada', null, 9];
    await database.transaction(async (tx) => {
      await expect(tx.savepoint(() => tx.insert('rows', columns, rows))).rejects.toThrow(/amount/);
      await tx.insert('rows', columns, [[1_000, 'Grace', null, 1]]);
    });
    expect(await database.all(sql`SELECT number FROM rows`)).toEqual([{ number: 1_000 }]);
  });
});
