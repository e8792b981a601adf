import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { describeFailure } from '../../src/app/describe-failure.ts';
import type { Database } from '../../src/storage/database.ts';
import { readMigration } from '../../src/storage/migrations/migration-file.ts';
import { migrate, migrationsFor } from '../../src/storage/migrations/migrations.ts';
import { openPostgres, type PostgresOptions } from '../../src/storage/postgres/postgres-database.ts';
import { commandsOn } from '../command-line.ts';
import { hasPgBouncer, type PgBouncer, startPgBouncer, timeLimitStatements } from '../pgbouncer.ts';
import { withConnection } from '../postgres-server.ts';
import { noteSkipped } from '../skipped.ts';
import { forEachStore, type Store } from '../stores.ts';
import { eventually, makeSite, requestsWith, startProcess } from './gatehouse-process.ts';

if (!hasPgBouncer) noteSkipped('the tests of poolers require pgbouncer.');

forEachStore((store) => {
  describe.skipIf(store.dialect === 'sqlite' || !hasPgBouncer)('behind PgBouncer', () => declareTests(store));
});

function declareTests(store: Store): void {
  const role = `gatehouse_test_${randomBytes(6).toString('hex')}`;
  /** The database, as its own user. */
  let directUrl: string;
  let adminUrl: string;
  let session: PgBouncer;
  let transaction: PgBouncer;
  const open = (url: string, options: PostgresOptions = {}) => {
    // On a busy machine connections take long.
    const database = openPostgres(url, { poolWaitMilliseconds: 20_000, ...options });
    onTestFinished(() => database.close());
    return database;
  };

  beforeAll(async () => {
    adminUrl = await store.freshUrl();
    await withConnection(adminUrl, async (admin) => {
      await admin.unsafe(`CREATE ROLE ${role} LOGIN`);
      await admin.unsafe(`ALTER DATABASE ${new URL(adminUrl).pathname.slice(1)} OWNER TO ${role}`);
      await admin.unsafe(`ALTER SCHEMA public OWNER TO ${role}`);
    });
    const url = new URL(adminUrl);
    url.username = role;
    directUrl = url.href;
    session = await startPgBouncer(directUrl, 'session', { max_client_conn: 60, default_pool_size: 30 });
    transaction = await startPgBouncer(directUrl, 'transaction', { default_pool_size: 10 });
  });
  afterAll(async () => {
    await session?.stop();
    await transaction?.stop();
    await withConnection(adminUrl, async (admin) => {
      await admin.unsafe(`REASSIGN OWNED BY ${role} TO CURRENT_USER`);
      await admin.unsafe(`DROP ROLE ${role}`);
    });
  });

  test('without the time limits of the role nothing starts, and the message says how to set them', async () => {
    const failure = await commandsOn(session.urlOf(directUrl))(['migrate', '--json']);
    expect(failure.json.error.code).toBe('database_unusable');
    const { message } = failure.json.error;
    expect(message).toContain('statement_timeout, lock_timeout, idle_in_transaction_session_timeout');
    const statements = message.match(/ALTER ROLE [^;]+;/g);
    expect(statements).toHaveLength(3);

    // Also if the pooler accepts the parameters and drops them.
    const ignoring = await startPgBouncer(directUrl, 'session', {
      ignore_startup_parameters: 'statement_timeout, lock_timeout, idle_in_transaction_session_timeout',
    });
    onTestFinished(() => ignoring.stop());
    const dropped = await open(ignoring.urlOf(directUrl)).get(sql`SELECT 1`).catch(describeFailure);
    expect(dropped).toMatchObject({ code: 'database_unusable' });

    // The user may change its own settings.
    await withConnection(directUrl, async (connection) => {
      for (const statement of timeLimitStatements(role)) await connection.unsafe(statement);
    });
    await session.stop();
    session = await startPgBouncer(directUrl, 'session', { default_pool_size: 30 });
    await migrate(open(session.urlOf(directUrl)));
    await expect(
      open(session.urlOf(directUrl)).get(sql`SELECT current_setting('lock_timeout') AS lock_timeout`),
    ).resolves.toEqual({ lock_timeout: '4s' });
  });

  test('in transaction mode the tables can only be changed past the pooler', async () => {
    const url = transaction.urlOf(directUrl);
    const known = migrationsFor('postgres');
    const later = readMigration(
      'postgres',
      '9001-later',
      `-- usable from: ${known.at(-1)!.name}\nCREATE TABLE later (id uuid);`,
    );
    expect(await migrate(open(url))).toEqual([]);
    await expect(open(url).migrate([...known, later])).rejects.toThrow('Set GATEHOUSE_DATABASE_DIRECT_URL');
    // Also when the URL does not say that the pooler is in transaction mode.
    const silent = new URL(url);
    silent.searchParams.delete('prepare');
    await expect(open(silent.href).migrate([...known, later])).rejects.toThrow(
      'Set GATEHOUSE_DATABASE_DIRECT_URL',
    );
    expect(await open(url, { directUrl }).migrate([...known, later])).toEqual(['9001-later']);
  });

  test('a connection with another time zone is refused, because times would be read wrongly', async () => {
    const url = new URL(directUrl);
    url.searchParams.set('timezone', 'Europe/Berlin');
    const failure = await open(url.href).get(sql`SELECT 1`).catch(describeFailure);
    expect(failure).toMatchObject({ code: 'database_unusable' });
    expect((failure as { message: string }).message).toContain("SET timezone = 'UTC';");
  });

  test('in session mode signals arrive, and in transaction mode changes are noticed by polling', async () => {
    const warnings: string[] = [];
    const onWarning = (message: string) => void warnings.push(message);
    const sessionUrl = session.urlOf(directUrl);
    const transactionUrl = transaction.urlOf(directUrl);
    for (const [url, directOfListener] of [
      [sessionUrl, undefined],
      [transactionUrl, undefined],
      [transactionUrl, directUrl],
    ] as const) {
      const [one, other] = [1, 2].map(() =>
        open(url, { poolSize: 2, listen: true, directUrl: directOfListener, onWarning }),
      );
      await expect.poll(() => isStable(one!), { interval: 20 }).toBe(true);
      const before = one!.signals();
      await other!.transaction((tx) => tx.signal());
      await expect.poll(() => one!.signals() !== before, { interval: 20 }).toBe(true);
    }
    expect(warnings).toEqual([]);

    // No one has said that this pooler changes the connection after each transaction.
    const undeclared = open(withoutPrepareFalse(transactionUrl), { poolSize: 2, listen: true, onWarning });
    await expect.poll(() => warnings).toEqual([expect.stringContaining('GATEHOUSE_DATABASE_DIRECT_URL')]);
    await expect.poll(() => isStable(undeclared), { interval: 20 }).toBe(true);
  });

  test('without prepare=false, transaction mode is unavailable, and the reason is named', async () => {
    const database = open(withoutPrepareFalse(transaction.urlOf(directUrl)), { poolSize: 5 });
    const busy = () =>
      Promise.allSettled(
        Array.from({ length: 20 }, (_, number) =>
          database.transaction((tx) => tx.get(sql`SELECT ${number}::int AS number`)),
        ),
      );
    const failed = await eventually('a failure', 10_000, async () => {
      const results = await busy();
      return results.find((result) => result.status === 'rejected');
    });
    expect(failed.reason).toMatchObject({ name: 'StoreUnavailable' });
    expect(failed.reason.message).toContain('?prepare=false');
  });

  test('in transaction mode, statements that share a connection are sent one after the other', async () => {
    const database = open(transaction.urlOf(directUrl), { poolSize: 2 });
    const numbers = Array.from({ length: 40 }, (_, number) => number);
    for (let round = 0; round < 3; round += 1) {
      const rows = await Promise.all(
        numbers.map((number) =>
          database.get(number % 2 === 0 ? sql`SELECT 0 AS rest` : sql`SELECT ${number}::int % 2 AS rest`),
        ),
      );
      expect(rows).toEqual(numbers.map((number) => ({ rest: number % 2 })));
    }
  });

  test.each(['session', 'transaction'] as const)(
    'in %s mode, 40 clients get no error of the server but that it is unavailable',
    async (mode) => {
      const url = (mode === 'session' ? session : transaction).urlOf(directUrl);
      const { key } = await makeSite(url);
      const { address } = await startProcess(url, { GATEHOUSE_DATABASE_POOL_SIZE: 20 });
      const request = requestsWith(key, () => address);
      const counts = await loadWith(request, 40, 1_500);
      expect(Object.keys(counts).filter((status) => !['200', '201', '503'].includes(status))).toEqual([]);
      expect(counts[201]).toBeGreaterThan(20);
      expect(counts[200]).toBeGreaterThan(20);
      expect((await fetch(`${address}/readyz/writes`)).status).toBe(200);
    },
    120_000,
  );

  test('the command line says that the pool of a pooler is full', async () => {
    const small = await startPgBouncer(directUrl, 'session', { default_pool_size: 1 });
    onTestFinished(() => small.stop());
    const url = small.urlOf(directUrl);
    const holder = postgres(url, { max: 1, prepare: false });
    onTestFinished(() => holder.end({ timeout: 0 }));
    await holder`SELECT 1`;
    const { json, exitCode } = await commandsOn(url)(['site', 'list', '--json']);
    expect(exitCode).toBe(1);
    expect(json.error).toMatchObject({ code: 'database_full' });
    expect(json.error.message).toContain(
      'All connections of the database, or of a pooler before it, are in use',
    );
  });
}

/** Whether values may be cached: the number of signals changes at every call while changes may be missed. */
function isStable(database: Database): boolean {
  const before = database.signals();
  return database.signals() === before;
}

function withoutPrepareFalse(address: string): string {
  const url = new URL(address);
  url.searchParams.delete('prepare');
  return url.href;
}

/** Sends requests with this many clients for some time. Returns how often each status was received. */
async function loadWith(
  request: ReturnType<typeof requestsWith>,
  clients: number,
  milliseconds: number,
): Promise<Record<number, number>> {
  const counts: Record<number, number> = {};
  const end = Date.now() + milliseconds;
  const run = async (client: number) => {
    for (let number = 0; Date.now() < end; number += 1) {
      const email = `c${client}-${number}@example.com`;
      const answers = [
        await request('POST', '/members', { email }),
        await request('GET', `/members?email=${email}`),
        await request('GET', '/members?limit=5'),
      ];
      for (const answer of answers) {
        const status = answer?.status ?? 0;
        counts[status] = (counts[status] ?? 0) + 1;
      }
      await sleep(1);
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, client) => run(client)));
  return counts;
}
