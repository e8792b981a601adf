import sql from 'sql-template-tag';
import { beforeEach, expect, test } from 'vitest';
import { forEachStoreVersion } from '../../test/stores.ts';
import type { Database, Transaction } from './database.ts';
import { migrate } from './migrations/migrations.ts';
import { openDatabase } from './open.ts';

forEachStoreVersion((store) => {
  let database: Database;

  beforeEach(async () => {
    database = openDatabase(await store.freshUrl());
    await migrate(database);
    return () => database.close();
  });

  test('of transactions committed together, the failed ones are rolled back and the others are stored', async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 30 }, (_, number) =>
        database.transaction(async (tx) => {
          await addSite(tx, number);
          if (number % 3 === 0) throw new Error(`no ${number}`);
          return number;
        }),
      ),
    );
    for (const [number, outcome] of outcomes.entries()) {
      if (number % 3 === 0) expect(outcome).toMatchObject({ reason: { message: `no ${number}` } });
      else expect(outcome).toEqual({ status: 'fulfilled', value: number });
    }
    expect(await slugs()).toEqual(numbers(30).filter((number) => number % 3 !== 0));
  });

  test('a failed savepoint is rolled back, and the changes before and after it are kept', async () => {
    await Promise.all(
      numbers(10).map((number) =>
        database.transaction(async (tx) => {
          await addSite(tx, number);
          const part = tx.savepoint(async () => {
            await addSite(tx, number + 100);
            throw new Error('no');
          });
          await part.catch(() => {});
          await addSite(tx, number + 200);
        }),
      ),
    );
    expect(await slugs()).toEqual([...numbers(10), ...numbers(10).map((number) => number + 200)]);
  });

  test('a failed savepoint in a failed transaction leaves nothing', async () => {
    const failing = database.transaction(async (tx) => {
      await addSite(tx, 1);
      await tx.savepoint(async () => addSite(tx, 2));
      throw new Error('no');
    });
    await expect(Promise.all([failing, database.transaction((tx) => addSite(tx, 3))])).rejects.toThrow('no');
    await expect.poll(slugs).toEqual([3]);
  });

  async function slugs(): Promise<number[]> {
    const rows = await database.all<{ slug: string }>(sql`SELECT slug FROM sites`);
    return rows.map(({ slug }) => Number(slug)).sort((a, b) => a - b);
  }
});

async function addSite(tx: Transaction, number: number): Promise<void> {
  const id = `01980a2f-5b10-7c55-8a01-${String(number).padStart(12, '0')}`;
  const now = '2026-01-31T09:30:00.000Z';
  await tx.run(sql`
    INSERT INTO sites (id, slug, title, status, created_at, updated_at)
    VALUES (${id}, ${String(number)}, 'Site', 'active', ${now}, ${now})`);
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, number) => number);
}
