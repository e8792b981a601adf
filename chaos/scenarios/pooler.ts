import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { requestsWithKey } from '../parts/http.ts';
import { Load } from '../parts/load.ts';
import { attempt, type CheckedPromise, type Outcome, promise } from '../parts/outcome.ts';
import { type Pooler, pooledUser, startPgbouncer } from '../parts/pgbouncer.ts';
import { type PostgresServer, startPrimary, withSql } from '../parts/postgres.ts';
import { beginService, createSite, runCommand, type Service, startService } from '../parts/service.ts';
import { until, type World } from '../parts/world.ts';
import { createGroup } from '../parts/writers.ts';
import type { Scenario } from './scenario.ts';

const clients = 40;
const loadSeconds = 10;
const startSeconds = 60;
/** The size of a pool of PgBouncer, if no one sets another one. */
const defaultPoolSize = 20;

/** Gatehouse behind PgBouncer, in its two modes. */
export const pooler: Scenario = {
  title: 'PgBouncer as Debian installs it, in session mode and in transaction mode, and with a full pool',
  programs: ['postgres', 'pgbouncer'],
  maxMinutes: 8,
  async run(world) {
    const server = await startPrimary(world);
    await withSql(server.url(), async (sql) => {
      await sql.unsafe(`CREATE ROLE ${pooledUser.name} LOGIN PASSWORD '${pooledUser.password}'`);
      for (const name of ['session', 'transaction']) {
        await sql.unsafe(`CREATE DATABASE ${name} OWNER ${pooledUser.name}`);
      }
    });
    return [
      await attempt('PgBouncer, session mode', () => runSessionMode(world, server)),
      await attempt('PgBouncer, transaction mode', () => runTransactionMode(world, server)),
    ];
  },
};

async function runSessionMode(world: World, server: PostgresServer): Promise<Outcome> {
  const bouncer = await startPgbouncer(world, server, ['session']);
  const databaseUrl = bouncer.url('session');
  const recommended = await applyRecommendedSettings(world, server, databaseUrl);
  const { load, service } = await runLoad(world, 'session', databaseUrl, databaseUrl);
  const limits = await limitsOf(databaseUrl);
  await service.program.stop();
  const full = await fillPool(world, databaseUrl);
  await bouncer.program.stop();
  return outcomeOf('session mode', load, [
    ...recommended,
    promise('the three time limits apply on its connections', limits.every(isLimit), limits.join(', ')),
    full,
  ]);
}

async function runTransactionMode(world: World, server: PostgresServer): Promise<Outcome> {
  const bouncer = await startPgbouncer(world, server, ['transaction'], { pool_mode: 'transaction' });
  const databaseUrl = bouncer.url('transaction', '?prepare=false');
  // Only commands go past the pooler. The service has no other connection, and so has to notice changes by polling.
  const { load, service } = await runLoad(world, 'transaction', databaseUrl, directUrlOf(server));
  const leaks = await findLeaks(bouncer);
  const followed = await seesOtherProcess(world, directUrlOf(server), service);
  await service.program.stop();
  await bouncer.program.stop();
  return outcomeOf('transaction mode, ?prepare=false', load, [
    promise(
      'nothing is set or prepared for other clients of its connections',
      leaks.length === 0,
      leaks.join('; ') || 'nothing',
    ),
    followed,
  ]);
}

function outcomeOf(what: string, { tally }: Load, promises: readonly CheckedPromise[]): Outcome {
  return {
    what: `PgBouncer, ${what}`,
    tried: `${tally.total} requests of ${clients} clients`,
    disturbed: tally.describe(),
    lost: '-',
    promises: [
      promise(
        'no 5xx but 503',
        tally.countOthers(200, 201, 207, 503) === 0,
        tally.describe([200, 201, 207, 503]),
      ),
      promise(
        'requests are answered',
        tally.count(200, 201) > tally.total * 0.9,
        `${tally.count(200, 201)} of ${tally.total}`,
      ),
      ...promises,
    ],
  };
}

/**
 * PgBouncer refuses the time limits as start-up parameters. Gatehouse says which settings the role needs; they are
 * applied as an administrator would copy them from the message.
 */
async function applyRecommendedSettings(
  world: World,
  server: PostgresServer,
  databaseUrl: string,
): Promise<CheckedPromise[]> {
  const first = await beginService(world, 'gatehouse-first', { databaseUrl });
  const text = 'a start without the settings of the role says what to do';
  try {
    await until('the end of the first start', startSeconds, () => !first.isRunning());
  } catch {
    await first.stop();
    return [promise(text, false, 'it started without its time limits, or did not end')];
  }
  const statements = first.output().match(/ALTER ROLE \w+ SET \w+ = '\w+';/g) ?? [];
  world.say(`the first start says: ${first.output().trim().split('\n').at(-1)?.slice(0, 400)}`);
  if (statements.length === 0) return [promise(text, false, first.output().trim().slice(0, 300))];
  await withSql(server.url(), (sql) => sql.unsafe(statements.join(' ')));
  // As after RECONNECT in the console: connections that are open have the settings from before.
  await withSql(
    server.url(),
    (sql) => sql`
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = ${pooledUser.name}`,
  );
  await sleep(500);
  return [promise(text, true, statements.join(' '))];
}

function directUrlOf({ port }: PostgresServer): string {
  return `postgres://${pooledUser.name}:${pooledUser.password}@127.0.0.1:${port}/transaction`;
}

async function runLoad(
  world: World,
  slug: string,
  databaseUrl: string,
  commandUrl: string,
): Promise<{ load: Load; service: Service }> {
  const site = await createSite(world, slug, { databaseUrl: commandUrl });
  const service = await startService(world, `gatehouse-${slug}`, { databaseUrl });
  const send = requestsWithKey(() => service.address, site.key);
  const groupId = await createGroup(send);
  world.say(`${clients} clients for ${loadSeconds} s through PgBouncer in ${slug} mode`);
  let number = 0;
  const load = new Load(clients, () => {
    number += 1;
    if (number % 5 === 0) return send('GET', '/members?limit=20&q=example');
    if (number % 5 === 1) return send('GET', `/access-groups/${groupId}/members?limit=5`);
    return send('POST', '/members', {
      body: { email: `${randomUUID()}@example.com`, accessGroupIds: [groupId] },
    });
  });
  await sleep(loadSeconds * 1_000);
  await load.stop();
  return { load, service };
}

/** The time limits on a connection through the pooler that the service may have used before. */
async function limitsOf(databaseUrl: string): Promise<string[]> {
  return withSql(databaseUrl, async (sql) => {
    const [row] = await sql`SELECT current_setting('statement_timeout') AS statement,
      current_setting('lock_timeout') AS lock, current_setting('idle_in_transaction_session_timeout') AS idle`;
    return Object.entries(row!).map(([name, value]) => `${name} ${value}`);
  });
}

function isLimit(limit: string): boolean {
  return !limit.endsWith(' 0');
}

/** Other clients hold all connections of the pool, and a command is started. */
async function fillPool(world: World, databaseUrl: string): Promise<CheckedPromise> {
  const holders = Array.from({ length: defaultPoolSize }, () =>
    postgres(databaseUrl, { max: 1, prepare: false, onnotice: () => {} }),
  );
  try {
    await Promise.all(holders.map((sql) => sql`SELECT 1`));
    world.say(`${defaultPoolSize} clients hold every connection of the pool`);
    const { exitCode, stderr, milliseconds } = await runCommand(world, ['site', 'list'], { databaseUrl });
    const isClear =
      exitCode === 1 && /pool|connections/i.test(stderr) && !/CONNECTION_|at .*\.ts/.test(stderr);
    const found = `exit code ${exitCode} after ${(milliseconds / 1_000).toFixed(1)} s: ${stderr.trim()}`;
    return promise('a command says in words that the pool is full', isClear, found);
  } finally {
    await Promise.all(holders.map((sql) => sql.end({ timeout: 1 })));
  }
}

/** What the service has left on the connections of the pool, which other clients use too. */
async function findLeaks({ url }: Pooler): Promise<string[]> {
  const found = new Set<string>();
  const clientsOfPool = Array.from({ length: defaultPoolSize }, () =>
    postgres(url('transaction'), { max: 1, prepare: false, fetch_types: false, onnotice: () => {} }),
  );
  const together = Promise.withResolvers<void>();
  let inside = 0;
  try {
    await Promise.all(
      clientsOfPool.map((sql) =>
        sql.begin(async (tx) => {
          // All transactions are open at the same time, each on a connection of its own.
          inside += 1;
          if (inside === clientsOfPool.length) together.resolve();
          await tx`SELECT 1`;
          await Promise.race([together.promise, sleep(5_000)]);
          const [row] = await tx`
            SELECT (SELECT count(*) FROM pg_prepared_statements)::int AS prepared,
              (SELECT count(*) FROM pg_listening_channels())::int AS channels,
              (SELECT string_agg(name || ' = ' || setting, ', ') FROM pg_settings
                WHERE source = 'session' AND name NOT IN ('application_name', 'client_encoding', 'DateStyle',
                  'TimeZone', 'IntervalStyle', 'standard_conforming_strings')) AS settings`;
          if (row!.prepared > 0) found.add(`${row!.prepared} prepared statements`);
          if (row!.channels > 0) found.add(`${row!.channels} channels with LISTEN`);
          if (row!.settings !== null) found.add(`settings of a session: ${row!.settings}`);
        }),
      ),
    );
  } finally {
    await Promise.all(clientsOfPool.map((sql) => sql.end({ timeout: 1 })));
  }
  return [...found];
}

/** Without LISTEN, the change of another process has to be noticed by polling: a revoked key stops working. */
async function seesOtherProcess(
  world: World,
  databaseUrl: string,
  service: Service,
): Promise<CheckedPromise> {
  const options = { databaseUrl };
  const { stdout } = await runCommand(
    world,
    ['key', 'create', '--site', 'transaction', '--name', 'Revoked', '--json'],
    options,
  );
  const { key, id } = JSON.parse(stdout);
  const send = requestsWithKey(() => service.address, key);
  const before = await send('GET', '/site');
  await runCommand(world, ['key', 'revoke', id, '--site', 'transaction', '--json'], options);
  const start = performance.now();
  const text = 'a key that another process revokes stops working within 10 s, as without LISTEN';
  try {
    await until('the end of the key', 15, async () => (await send('GET', '/site')).status === 401);
    const seconds = (performance.now() - start) / 1_000;
    return promise(
      text,
      before.status === 200 && seconds <= 10,
      `${before.status}, then 401 after ${seconds.toFixed(1)} s`,
    );
  } catch {
    return promise(text, false, 'it still works after 15 s');
  }
}
