import sql from 'sql-template-tag';
import { beforeEach, expect, test } from 'vitest';
import { forEachStore } from '../../../../test/stores.ts';
import type { Database } from '../../database.ts';
import { CallerHasLeft } from '../../errors.ts';
import { openDatabase } from '../../open.ts';
import { asSearch } from '../../sql/statement.ts';

forEachStore((store) => {
  let database: Database;

  beforeEach(async () => {
    database = openDatabase(await store.freshUrl(), { poolSize: 10 });
    return () => database.close();
  });

  // Statements that are not prepared share no connections.
  const isPrepared = process.env.GATEHOUSE_TEST_PGBOUNCER !== 'transaction';
  const onPostgres = test.runIf(store.dialect === 'postgres' && isPrepared);
  const quick = async () => {
    const row = await database.get<{ pid: number }>(sql`SELECT pg_backend_pid() AS pid`);
    return row!.pid;
  };
  const slow = () => database.get(sql`SELECT pg_sleep(0.3)`);
  /** Each of the nine transactions waits for the last one to begin, so each has a connection of its own. */
  const openAll = async () => {
    let begun = 0;
    let lastHasBegun = () => {};
    const allHaveBegun = new Promise<void>((resolve) => {
      lastHasBegun = resolve;
    });
    const transactions = Array.from({ length: 9 }, () =>
      database.transaction(async (tx) => {
        await tx.get(sql`SELECT 1`);
        begun += 1;
        if (begun === 9) lastHasBegun();
        await allHaveBegun;
      }),
    );
    await Promise.all(transactions);
  };

  onPostgres('quick statements share few connections, also after many transactions', async () => {
    await openAll();
    // On a busy machine a quick statement may take long once, and is then expected to be slow for a while.
    const countUsed = async () => new Set(await Promise.all(Array.from({ length: 30 }, quick))).size;
    await expect.poll(countUsed).toBeLessThanOrEqual(3);
  });

  onPostgres('quick statements do not wait for those that are known to be slow', async () => {
    await openAll();
    await slow();
    const ended: string[] = [];
    const slowOnes = [1, 2, 3].map(async () => {
      await slow();
      ended.push('slow');
    });
    const quickOnes = Array.from({ length: 30 }, async () => {
      await quick();
      ended.push('quick');
    });
    await Promise.all([...slowOnes, ...quickOnes]);
    expect(ended).toEqual([...Array(30).fill('quick'), 'slow', 'slow', 'slow']);
  });

  onPostgres(
    'quick statements do not wait for searches, however many there are, and however slow',
    async () => {
      await openAll();
      const ended: string[] = [];
      const searches = Array.from({ length: 7 }, async () => {
        await database.get(asSearch(sql`SELECT pg_sleep(0.4)`));
        ended.push('search');
      });
      const quickOnes = Array.from({ length: 30 }, async () => {
        await quick();
        ended.push('quick');
      });
      await Promise.all([...searches, ...quickOnes]);
      expect(ended).toEqual([...Array(30).fill('quick'), ...Array(7).fill('search')]);
    },
  );

  onPostgres('a search that waits for others is not run when its caller has left', async () => {
    const searches = Array.from({ length: 5 }, () => database.get(asSearch(sql`SELECT pg_sleep(0.2)`)));
    let isAwaited = true;
    const search = database.forCaller({ isAwaited: () => isAwaited }).get(asSearch(sql`SELECT 1`));
    isAwaited = false;
    await expect(search).rejects.toBeInstanceOf(CallerHasLeft);
    await Promise.all(searches);
  });

  onPostgres('a search is planned with its values, and no other statement', async () => {
    await database.transaction(async (tx) => {
      const isPrepared = async (mark: string) =>
        (await tx.all(sql`SELECT name FROM pg_prepared_statements WHERE statement LIKE ${`%${mark}%`}`))
          .length > 0;
      await tx.get(asSearch(sql`SELECT ${'a'}::text AS searched`));
      await tx.get(sql`SELECT ${'a'}::text AS chosen`);
      expect([await isPrepared('AS searched'), await isPrepared('AS chosen')]).toEqual([false, true]);
    });
  });

  onPostgres('a statement that waits holds up only those that were sent with it', async () => {
    await openAll();
    const waiting = slow();
    await new Promise((resolve) => setTimeout(resolve, 50));
    let isOver = false;
    waiting.then(() => {
      isOver = true;
    });
    await Promise.all(Array.from({ length: 30 }, quick));
    expect(isOver).toBe(false);
    await waiting;
  });
});
