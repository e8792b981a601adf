import fc from 'fast-check';
import sql, { join } from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { effort } from '../../test/effort.ts';
import { forEachStoreVersion, stopInTheEnd } from '../../test/stores.ts';
import type { Database, FeedWriter, Transaction, WorkFacts } from './database.ts';
import { openDatabase } from './open.ts';
import { feedTables, namesFeed } from './postgres/shared-commits/feed-writes.ts';

/** Work, and the numbers of the sites that it leaves to be added at the end. */
type Run<T> = (tx: Transaction) => Promise<{ result: T; rest: readonly number[] }>;

const siteId = '01980a2f-5b10-7c55-8a01-000000000000';
const count = 30;

forEachStoreVersion((store) => {
  let url: string;
  let database: Database;

  beforeAll(async () => {
    url = await store.migratedUrl();
    database = open();
  });
  beforeEach(async () => {
    await database.run(sql`DELETE FROM events WHERE site_id = ${siteId}`);
    await database.run(sql`DELETE FROM sites`);
  });

  /** Opens it as another process does. All work begins in time, also on a busy machine. */
  function open(): Database {
    const opened = openDatabase(url, { poolWaitMilliseconds: 30_000 });
    stopInTheEnd(() => opened.close());
    return opened;
  }

  const short = <T>(work: (tx: Transaction) => Promise<T>, facts?: WorkFacts, on = database) =>
    on.transaction(work, { shortOnSite: siteId, ...facts });
  const shared = <T>(run: Run<T>, facts?: WorkFacts) =>
    short(async (tx) => {
      const { result, rest } = await run(tx);
      if (rest.length > 0) await tx.writeToFeed(rest, addSites);
      return result;
    }, facts);
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

  test('work sees the events that earlier work has left, and of work that fails it sees none', async () => {
    await database.transaction(async (tx) => {
      await addSite(tx, 0);
      await tx.run(sql`CREATE TABLE IF NOT EXISTS turns (turn integer NOT NULL)`);
    });
    const step = fc.constantFrom('read' as const, 'write' as const, 'leave' as const, 'fail inside' as const);
    const work = fc.record({
      steps: fc.array(step, { maxLength: 5 }),
      end: fc.constantFrom('success', 'success', 'success', 'error'),
      sendsOneStatement: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(work, { minLength: 2, maxLength: 14 }), async (works) => {
        await database.transaction(async (tx) => {
          await tx.run(sql`DELETE FROM turns`);
          await tx.run(sql`DELETE FROM events WHERE site_id = ${siteId}`);
          await tx.run(sql`INSERT INTO turns (turn) VALUES (0)`);
        });
        const outcomes = await Promise.allSettled(
          works.map((each, number) =>
            short((tx) => carryOut(tx, number * 10, each), { sendsOneStatement: each.sendsOneStatement }),
          ),
        );
        const done = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? outcome.value : []));
        const failed = outcomes.filter(({ status }) => status === 'rejected').length;
        expect(failed).toBe(works.filter(({ end }) => end === 'error').length);
        done.sort((a, b) => a.turn - b.turn);
        let earlier: number[] = [];
        for (const { seen, left } of done) {
          for (const { events, own } of seen) expect(events).toEqual(inOrder([...earlier, ...own]));
          earlier = [...earlier, ...left];
        }
        expect(await eventsOf(database)).toEqual(inOrder(earlier));
      }),
      { numRuns: effort.raceRounds * 10 },
    );
  });

  test('work that only reads the feed sees the events of whatever was before it', async () => {
    await database.transaction((tx) => addSite(tx, 0));
    const seen = await Promise.all(
      numbers(count).map((number) =>
        short(
          async (tx) => {
            if (number % 3 === 2) return eventsOf(tx);
            await tx.get(sql`SELECT 1 AS one`);
            await tx.writeToFeed([number], addEvents);
            return undefined;
          },
          { sendsOneStatement: true },
        ),
      ),
    );
    const lengths = seen.flatMap((events) => events?.length ?? []);
    expect(lengths).toEqual(inOrder(lengths));
    // The first work of all has its own transaction, beside the others.
    expect(lengths.at(-1)).toBeGreaterThanOrEqual(count - count / 3 - 1);
    expect(await eventsOf(database)).toHaveLength(count - count / 3);
  });

  test('work that sends one statement does not come between the statements of other work', async () => {
    // Those of such work only: the first work of all has its own transaction, which ends meanwhile.
    const countSites = async (tx: Transaction) =>
      (await tx.get<{ sites: number }>(sql`SELECT count(*) AS sites FROM sites WHERE length(slug) < 3`))!
        .sites;
    await Promise.all(
      numbers(count).map((number) =>
        shared(
          async (tx) => {
            if (number % 5 !== 0) await addSite(tx, number);
            else expect(await countSites(tx)).toBe(await countSites(tx));
            return { result: null, rest: [number + 100] };
          },
          { sendsOneStatement: number % 5 !== 0 },
        ),
      ),
    );
    const stored = numbers(count).filter((number) => number % 5 !== 0);
    expect(await slugs()).toEqual([...stored, ...numbers(count).map((number) => number + 100)]);
  });

  test('work that sends one statement is rolled back alone', async () => {
    await database.transaction((tx) => addSite(tx, 1_000));
    const outcomes = await Promise.allSettled(
      numbers(count).map((number) =>
        shared(
          async (tx) => {
            if (number === 3) throw new Error('no 3');
            await addSite(tx, number === 7 ? 1_000 : number);
            return { result: number, rest: [number + 100] };
          },
          { sendsOneStatement: true },
        ),
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
          short(
            async (tx) => {
              await addSite(tx, number);
              if (number === 5) await addSite(tx, number + 100);
            },
            { sendsOneStatement: true },
          ),
        ),
      );
      const failed = outcomes.flatMap(({ status }, number) => (status === 'rejected' ? [number] : []));
      expect(failed).toEqual([5]);
      expect(await slugs()).toEqual(numbers(count).filter((number) => number !== 5));
    });

    test('only statements that name its tables read or change the event feed', async () => {
      const tables = sql`(${join(feedTables.map((table) => sql`to_regclass(${table})`))})`;
      const found = await database.all(sql`
        SELECT 'trigger of a feed table' AS what, tgname::text AS name FROM pg_trigger
        WHERE NOT tgisinternal AND tgrelid IN ${tables}
        UNION ALL SELECT 'key to a feed table', conname::text FROM pg_constraint
        WHERE contype = 'f' AND confrelid IN ${tables}
        UNION ALL SELECT 'key with an effect on a feed table', conname::text FROM pg_constraint
        WHERE contype = 'f' AND conrelid IN ${tables} AND (confdeltype <> 'a' OR confupdtype <> 'a')
        UNION ALL SELECT 'view', c.relname::text FROM pg_class c
        WHERE relkind IN ('v', 'm') AND relnamespace = to_regnamespace(current_schema())
        UNION ALL SELECT 'function that names a feed table', proname::text FROM pg_proc
        WHERE pronamespace = to_regnamespace(current_schema()) AND prosrc ~ ${feedTables.join('|')}
        UNION ALL SELECT 'trigger with a function', tgname::text FROM pg_trigger t
        JOIN pg_class c ON c.oid = t.tgrelid AND c.relnamespace = to_regnamespace(current_schema())
        WHERE NOT tgisinternal`);
      expect(found).toEqual([]);
      const names = [
        'FROM events WHERE',
        'UPDATE "events" SET',
        'JOIN public.event_heads h',
        'INTO Activity_Counts(',
      ];
      expect(names.map(namesFeed)).toEqual(names.map(() => true));
      expect(namesFeed('SELECT event_types FROM webhooks')).toBe(false);
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
          short(
            (tx) => {
              const slug = String(turn % 4 < 2 ? turn % 2 : 1 - (turn % 2));
              return tx.run(sql`UPDATE sites SET title = title || '.' WHERE slug = ${slug}`);
            },
            {},
            processes[turn % 2],
          ),
        ),
      );
      const rows = await database.all<{ title: string }>(sql`SELECT title FROM sites ORDER BY slug`);
      expect(rows).toEqual([{ title: `Site${'.'.repeat(10)}` }, { title: `Site${'.'.repeat(10)}` }]);
    });
  }
});

interface Work {
  readonly steps: readonly ('read' | 'write' | 'leave' | 'fail inside')[];
  readonly end: string;
  readonly sendsOneStatement: boolean;
}

/** What work has seen of the feed each time it looked, what it had left itself, and when its turn was. */
interface Done {
  readonly turn: number;
  readonly seen: readonly { readonly events: readonly number[]; readonly own: readonly number[] }[];
  readonly left: readonly number[];
}

/** Locks the row of the turns first, so that all work is carried out in their order, also in different transactions. */
async function carryOut(
  tx: Transaction,
  first: number,
  { steps, end, sendsOneStatement }: Work,
): Promise<Done> {
  const { turn } = (await tx.get<{ turn: number }>(sql`UPDATE turns SET turn = turn + 1 RETURNING turn`))!;
  const seen: { events: number[]; own: number[] }[] = [];
  const left: number[] = [];
  const look = async (own: number[]) => seen.push({ events: await eventsOf(tx), own });
  for (const step of sendsOneStatement ? ['leave'] : steps) {
    const number = first + left.length;
    if (step === 'read') await look([...left]);
    if (step === 'write') await tx.run(sql`UPDATE turns SET turn = turn`);
    if (step === 'leave') {
      await tx.writeToFeed([number], addEvents);
      left.push(number);
    }
    if (step === 'fail inside') {
      const part = tx.savepoint(async () => {
        await tx.writeToFeed([number], addEvents);
        await look([...left, number]);
        throw new Error('not this part');
      });
      await part.catch(() => {});
    }
  }
  if (end === 'error') throw new Error('no');
  return { turn, seen, left };
}

function inOrder(values: readonly number[]): number[] {
  return values.toSorted((a, b) => a - b);
}

async function eventsOf(queries: Database | Transaction): Promise<number[]> {
  const rows = await queries.all<{ position: number }>(
    sql`SELECT position FROM events WHERE site_id = ${siteId} ORDER BY position`,
  );
  return rows.map(({ position }) => position);
}

const addEvents: FeedWriter<number> = async (tx, positions) => {
  await tx.insert(
    'events',
    ['site_id', 'position', 'id', 'type', 'occurred_at', 'actor_type', 'data'],
    positions.map((position) => [siteId, position, idOf(position), 'test', now, 'system', '{}']),
  );
};

const now = '2026-01-31T09:30:00.000Z';

function idOf(number: number): string {
  return `01980a2f-5b10-7c55-8a01-${String(number).padStart(12, '0')}`;
}

async function addSites(tx: Transaction, rest: readonly number[]): Promise<void> {
  for (const number of rest) await addSite(tx, number);
}

async function addSite(tx: Transaction, number: number): Promise<void> {
  await tx.run(sql`
    INSERT INTO sites (id, slug, title, status, created_at, updated_at)
    VALUES (${idOf(number)}, ${String(number)}, 'Site', 'active', ${now}, ${now})`);
}

function numbers(length: number): number[] {
  return Array.from({ length }, (_, number) => number);
}
