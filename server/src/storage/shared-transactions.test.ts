import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { forEachStoreVersion, stopInTheEnd } from '../../test/stores.ts';
import type { Database, Transaction } from './database.ts';
import { openDatabase } from './open.ts';
import { forUpdate } from './sql/row-lock.ts';

/** What work leaves for the end: the number of a site to add. */
type Rest = number;
type Run<T> = (tx: Transaction) => Promise<{ result: T; rest: readonly Rest[] }>;

const siteId = '01980a2f-5b10-7c55-8a01-000000000000';
const count = 30;

forEachStoreVersion((store) => {
  let url: string;
  let database: Database;

  beforeAll(async () => {
    url = await store.migratedUrl();
    database = open();
  });
  beforeEach(() => database.run(sql`DELETE FROM sites`));

  /** Opens it as another process does. All work begins in time, also on a busy machine. */
  function open(): Database {
    const opened = openDatabase(url, { poolWaitMilliseconds: 30_000 });
    stopInTheEnd(() => opened.close());
    return opened;
  }

  const shared = <T>(run: Run<T>) => database.sharedTransaction<T, Rest>(siteId, { run, finish: addSites });
  const slugs = async () => {
    const rows = await database.all<{ slug: string }>(sql`SELECT slug FROM sites`);
    return rows.map((row) => Number(row.slug)).sort((a, b) => a - b);
  };

  describe.each<[string, (tx: Transaction, number: number) => Promise<void>]>([
    [
      'an error before it writes',
      async (_, number) => {
        throw new Error(`no ${number}`);
      },
    ],
    [
      'an error after it has written',
      async (tx, number) => {
        await addSite(tx, number);
        throw new Error(`no ${number}`);
      },
    ],
    [
      'an error while a statement of it is running',
      async (tx, number) => {
        void addSite(tx, number).catch(() => {});
        throw new Error(`no ${number}`);
      },
    ],
    [
      'an error while a savepoint of it is running',
      async (tx, number) => {
        void tx.savepoint(() => addSite(tx, number)).catch(() => {});
        throw new Error(`no ${number}`);
      },
    ],
    [
      'an error after a statement that the store rejected',
      async (tx, number) => {
        await addSite(tx, number);
        await addSite(tx, number).catch(() => {});
        throw new Error(`no ${number}`);
      },
    ],
  ])('work that fails with %s', (_, fail) => {
    test('is rolled back alone, with what it has left for the end', async () => {
      const outcomes = await Promise.allSettled(
        numbers(count).map((number) =>
          shared(async (tx) => {
            if (number % 3 === 0) await fail(tx, number);
            await addSite(tx, number);
            return { result: number, rest: [number + 100] };
          }),
        ),
      );
      for (const [number, outcome] of outcomes.entries()) {
        if (number % 3 === 0) expect(outcome).toMatchObject({ reason: { message: `no ${number}` } });
        else expect(outcome).toEqual({ status: 'fulfilled', value: number });
      }
      const stored = numbers(count).filter((number) => number % 3 !== 0);
      expect(await slugs()).toEqual([...stored, ...stored.map((number) => number + 100)]);
    });
  });

  test('what one piece of work leaves and cannot be written does not fail the others', async () => {
    const outcomes = await Promise.allSettled(
      numbers(count).map((number) =>
        // Two of them leave the number 1,000.
        shared(async () => ({ result: number, rest: [number === 7 ? 1_000 : 1_000 + number] })),
      ),
    );
    const failed = outcomes.flatMap(({ status }, number) => (status === 'rejected' ? [number] : []));
    expect([[0], [7]]).toContainEqual(failed);
    expect(await slugs()).toHaveLength(count - 1);
  });

  test('work can require what earlier work has left for the end', async () => {
    await database.transaction((tx) => addSite(tx, 1_000));
    const limit = 5;
    const added = await Promise.all(
      numbers(count).map((number) =>
        shared(async (tx) => {
          await tx.get(sql`SELECT id FROM sites WHERE slug = '1000' ${forUpdate(tx)}`);
          tx.requireWritten<Rest>((rest) => rest < 100);
          const { others } = (await tx.get<{ others: number }>(sql`
            SELECT count(*) AS others FROM sites WHERE slug <> '1000'`))!;
          return others < limit ? { result: 1, rest: [number] } : { result: 0, rest: [] };
        }),
      ),
    );
    expect(added.filter((each) => each === 1)).toHaveLength(limit);
    expect(await slugs()).toHaveLength(limit + 1);
  });

  test('work that sends one statement does not come between the statements of other work', async () => {
    // Those of such work only: the first work of all has its own transaction, which ends meanwhile.
    const countSites = async (tx: Transaction) =>
      (await tx.get<{ sites: number }>(sql`SELECT count(*) AS sites FROM sites WHERE length(slug) < 3`))!
        .sites;
    await Promise.all(
      numbers(count).map((number) =>
        database.sharedTransaction<null, Rest>(siteId, {
          sendsOneStatement: number % 5 !== 0,
          run: async (tx) => {
            if (number % 5 !== 0) await addSite(tx, number);
            else expect(await countSites(tx)).toBe(await countSites(tx));
            return { result: null, rest: [number + 100] };
          },
          finish: addSites,
        }),
      ),
    );
    const stored = numbers(count).filter((number) => number % 5 !== 0);
    expect(await slugs()).toEqual([...stored, ...numbers(count).map((number) => number + 100)]);
  });

  test('work that sends one statement is rolled back alone', async () => {
    await database.transaction((tx) => addSite(tx, 1_000));
    const outcomes = await Promise.allSettled(
      numbers(count).map((number) =>
        database.sharedTransaction<number, Rest>(siteId, {
          sendsOneStatement: true,
          run: async (tx) => {
            if (number === 3) throw new Error('no 3');
            await addSite(tx, number === 7 ? 1_000 : number);
            return { result: number, rest: [number + 100] };
          },
          finish: addSites,
        }),
      ),
    );
    const failed = outcomes.flatMap(({ status }, number) => (status === 'rejected' ? [number] : []));
    expect(failed).toEqual([3, 7]);
    const done = numbers(count).filter((number) => !failed.includes(number));
    expect(await slugs()).toEqual([...done, ...done.map((number) => number + 100), 1_000]);
  });

  test('a savepoint that fails is rolled back, and the changes before and after it are kept', async () => {
    await Promise.all(
      numbers(count).map((number) =>
        shared(async (tx) => {
          await addSite(tx, number);
          const part = tx.savepoint(async () => {
            await addSite(tx, number + 100);
            await addSite(tx, number);
          });
          await part.catch(() => {});
          await addSite(tx, number + 200);
          return { result: null, rest: [] };
        }),
      ),
    );
    expect(await slugs()).toEqual([...numbers(count), ...numbers(count).map((number) => number + 200)]);
  });

  // SQLite has one writer, which has no locks to wait for.
  if (store.dialect === 'postgres') {
    test('work that arrives together shares transactions', async () => {
      const ids = await Promise.all(
        numbers(count).map(() =>
          shared(async (tx) => {
            const row = await tx.get<{ id: string }>(sql`SELECT pg_current_xact_id()::text AS id`);
            return { result: row!.id, rest: [] };
          }),
        ),
      );
      expect(new Set(ids).size).toBeLessThan(count / 2);
    });

    test('work that sends more statements than it has said fails', async () => {
      const outcomes = await Promise.allSettled(
        numbers(count).map((number) =>
          database.sharedTransaction<null, Rest>(siteId, {
            sendsOneStatement: true,
            run: async (tx) => {
              await addSite(tx, number);
              if (number === 5) await addSite(tx, number + 100);
              return { result: null, rest: [] };
            },
            finish: addSites,
          }),
        ),
      );
      const failed = outcomes.flatMap(({ status }, number) => (status === 'rejected' ? [number] : []));
      expect(failed).toEqual([5]);
      expect(await slugs()).toEqual(numbers(count).filter((number) => number !== 5));
    });

    test('work that waits for a lock does not hold up the others', async () => {
      const other = open();
      await database.transaction((tx) => addSite(tx, 1_000));
      const locked = Promise.withResolvers<void>();
      const release = Promise.withResolvers<void>();
      const holding = other.transaction(async (tx) => {
        await tx.run(sql`UPDATE sites SET title = 'Held' WHERE slug = '1000'`);
        locked.resolve();
        await release.promise;
      });
      await locked.promise;
      let isDone = false;
      const waiting = shared(async (tx) => {
        await addSite(tx, 1_001);
        await tx.run(sql`UPDATE sites SET title = title || ' still' WHERE slug = '1000'`);
        return { result: null, rest: [1_002] };
      }).then(() => {
        isDone = true;
      });
      await Promise.all(
        numbers(count).map((number) =>
          shared(async (tx) => ({ result: await addSite(tx, number), rest: [] })),
        ),
      );
      expect(isDone).toBe(false);
      release.resolve();
      await Promise.all([holding, waiting]);
      expect(await slugs()).toEqual([...numbers(count), 1_000, 1_001, 1_002]);
      expect(await database.get(sql`SELECT title FROM sites WHERE slug = '1000'`)).toEqual({
        title: 'Held still',
      });
    });

    test('processes that lock rows in different orders all succeed', async () => {
      const processes = [database, open()];
      await database.transaction((tx) => addSites(tx, [0, 1]));
      await Promise.all(
        numbers(20).map((turn) =>
          processes[turn % 2]!.sharedTransaction<null, Rest>(siteId, {
            run: async (tx) => {
              const slug = String(turn % 4 < 2 ? turn % 2 : 1 - (turn % 2));
              await tx.run(sql`UPDATE sites SET title = title || '.' WHERE slug = ${slug}`);
              return { result: null, rest: [] };
            },
            finish: addSites,
          }),
        ),
      );
      const rows = await database.all<{ title: string }>(sql`SELECT title FROM sites ORDER BY slug`);
      expect(rows).toEqual([{ title: `Site${'.'.repeat(10)}` }, { title: `Site${'.'.repeat(10)}` }]);
    });
  }
});

async function addSites(tx: Transaction, rest: readonly number[]): Promise<void> {
  for (const number of rest) await addSite(tx, number);
}

async function addSite(tx: Transaction, number: number): Promise<void> {
  const id = `01980a2f-5b10-7c55-8a01-${String(number).padStart(12, '0')}`;
  const now = '2026-01-31T09:30:00.000Z';
  await tx.run(sql`
    INSERT INTO sites (id, slug, title, status, created_at, updated_at)
    VALUES (${id}, ${String(number)}, 'Site', 'active', ${now}, ${now})`);
}

function numbers(length: number): number[] {
  return Array.from({ length }, (_, number) => number);
}
