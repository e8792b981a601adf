import sql, { raw } from 'sql-template-tag';
import { expect, onTestFinished, test } from 'vitest';
import { forEachStore } from '../../test/stores.ts';
import { openDatabase } from './open.ts';
import { StatementWatch } from './statement-watch.ts';

interface Line {
  readonly requestId?: string;
  readonly statement: string;
  readonly milliseconds: number;
  readonly omitted?: number;
}

forEachStore((store) => {
  /** A statement that takes longer than the limit, with a value. */
  const slow = (secret: string) =>
    store.dialect === 'postgres'
      ? sql`SELECT pg_sleep(0.06), ${secret}::text AS secret`
      : sql`WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 1000000)
            SELECT max(n) AS n, ${secret} AS secret FROM numbers`;

  async function aWatch(slowMilliseconds: number) {
    const lines: Line[] = [];
    const watch = new StatementWatch(slowMilliseconds, (level, message, facts) => {
      expect([level, message]).toEqual(['warn', 'Slow statement']);
      lines.push(facts as Line);
    });
    const database = openDatabase(await store.migratedUrl(), { poolSize: 3, watch });
    onTestFinished(() => database.close());
    return { lines, watch, database };
  }

  test('slow statements are logged with their request and without their values', async () => {
    const { lines, database } = await aWatch(50);
    const reading = ['first', 'second'].map(async (requestId) => {
      await database.forCaller({ isAwaited: () => true, requestId: requestId }).get(sql`SELECT 1 AS one`);
      await database
        .forCaller({ isAwaited: () => true, requestId: requestId })
        .get(slow('secret@example.com'));
    });
    await Promise.all(reading);
    const ofSlow = lines.filter(({ statement }) => statement.includes('secret'));
    expect(ofSlow.map(({ requestId }) => requestId).sort()).toEqual(['first', 'second']);
    for (const { statement } of ofSlow) {
      expect(statement).not.toContain('secret@example.com');
      expect(statement).not.toContain('\n');
    }
    for (const { milliseconds } of lines) expect(milliseconds).toBeGreaterThanOrEqual(50);
  });

  test('statements that take less than the limit are not logged', async () => {
    const { lines, watch, database } = await aWatch(600_000);
    await database.get(sql`SELECT 1 AS one`);
    await database.get(slow(''));
    expect(lines).toEqual([]);
    expect(watch.metrics()[0]!.values[0]!.value).toBe(0);
  });

  test('statements of transactions that share a commit are logged with their own requests', async () => {
    const { lines, database } = await aWatch(50);
    const writing = ['first', 'second'].map((requestId) =>
      database.transaction(
        async (tx) => {
          await tx.get(sql`SELECT 1 AS one`);
          await tx.get(sql`${slow('')} WHERE 1 = ${raw(requestId === 'first' ? '1' : '1 AND 2 = 2')}`);
        },
        { requestId },
      ),
    );
    await Promise.all(writing);
    const named = lines.filter(({ statement }) => statement.includes('WHERE 1 ='));
    expect(
      named.map(({ requestId, statement }) => [requestId, statement.includes('AND 2 = 2')]).sort(),
    ).toEqual([
      ['first', false],
      ['second', true],
    ]);
  });

  test('a flood of slow statements leaves few lines, and is counted', async () => {
    const { lines, watch, database } = await aWatch(0);
    for (let time = 0; time < 100; time += 1) await database.get(sql`SELECT 1 AS one`);
    expect(lines.length).toBe(60);
    expect(watch.metrics()[0]!.values[0]!.value).toBeGreaterThanOrEqual(100);
  });
});
