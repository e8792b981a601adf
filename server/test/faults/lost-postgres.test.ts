import { permissions } from '@gatehouse/contract';
import { pino } from 'pino';
import postgres from 'postgres';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { readSettings } from '../../src/app/settings/settings.ts';
import { startGatehouse } from '../../src/app/start-gatehouse.ts';
import type { Database } from '../../src/storage/database.ts';
import { migrate } from '../../src/storage/migrations/migrations.ts';
import { openDatabase } from '../../src/storage/open.ts';
import { embeddedPostgres, systemPostgres } from '../postgres-programs.ts';
import {
  createDatabase,
  type PostgresServer,
  startPostgres,
  uniqueDatabaseName,
} from '../postgres-server.ts';
import { secretKey } from '../secret-key.ts';
import { visit } from '../test-server.ts';
import { BulkWriters, expectWholeRequests } from './bulk-writers.ts';
import { eventually, makeSite, requestsWith, startProcess } from './gatehouse-process.ts';

// The pool's wait and the statement timeout (see storage/postgres.ts), with a margin for a busy machine.
const answerMilliseconds = 20_000;
const recoveryMilliseconds = 20_000;
/** For several of these waits, and the requests that are repeated after them. */
const timeout = 180_000;

let server: PostgresServer;
/** The name of a database with the tables of this version. */
const template = 'template_of_tests';

beforeAll(async () => {
  server = await startPostgres((embeddedPostgres() ?? systemPostgres())!, {
    fsync: true,
    settings: { max_connections: '30' },
  });
  const database = openDatabase(await server.createDatabase(template));
  await migrate(database).finally(() => database.close());
});
afterAll(() => server?.stop('immediate'));

test('when PostgreSQL is killed during writes, no acknowledged change is lost, and Gatehouse recovers by itself', {
  timeout,
}, async () => {
  const { databaseUrl, siteId, groupId, request, gatehouse } = await start(startProcess);
  const writers = new BulkWriters(request, groupId, { pauseMilliseconds: 200 });
  await eventually('a first response', 20_000, async () => writers.answered(207) > 2);
  await server.kill();
  const rejected = await inTime(request('POST', '/members', { email: 'gone@example.com' }));
  expect([rejected?.status, rejected?.body.error?.code]).toEqual([503, 'unavailable']);
  expect(rejected!.headers.get('retry-after')).toMatch(/^\d+$/);
  expect((await fetch(`${gatehouse.address}/readyz`)).status).toBe(503);

  await server.restart();
  await expectRecovery(request);
  await writers.stop();
  expect(writers.sent.every(({ status }) => status === 207 || status === 503)).toBe(true);
  const database = openDatabase(databaseUrl);
  await expectWholeRequests(database, siteId, writers.sent);
  await writers.repeatAll();
  await expectExactCounterOfGroup(database, siteId, groupId);
  await database.close();
});

test('requests to a frozen PostgreSQL time out, and succeed again afterwards', { timeout }, async () => {
  const { request } = await start();
  server.pause();
  const answers = await inTime(
    Promise.all([request('GET', '/members'), request('POST', '/members', { email: 'quiet@example.com' })]),
  );
  server.resume();
  expect(answers.map((answer) => answer?.status)).toEqual([503, 503]);
  await expectRecovery(request);
});

test('while PostgreSQL is down the gate denies access, or allows public paths if configured', {
  timeout,
}, async () => {
  const { databaseUrl, request } = await start();
  await request('PATCH', '/site', { domain: 'club.example.org' });
  await request('PUT', '/access-rules', {
    rules: [
      { path: '/', access: 'public' },
      { path: '/members', access: 'members' },
    ],
  });
  const settings = { GATEHOUSE_TRUSTED_PROXIES: '127.0.0.1', GATEHOUSE_DATABASE_POOL_SIZE: 2 };
  const [strict, lenient] = await Promise.all([
    startProcess(databaseUrl, settings),
    startProcess(databaseUrl, { ...settings, GATEHOUSE_GATE_WITHOUT_STORE: 'public' }),
  ]);
  await everyServiceListens(databaseUrl, 3);
  const send = async ({ address }: { address: string }, path: string) => {
    const headers = { 'x-forwarded-host': 'club.example.org', 'x-original-uri': path };
    return (await inTime(visit(address, 'GET', '/_gatehouse/auth', { headers }))).status;
  };
  // At the same time, because each waits for a connection.
  const sendToAll = () =>
    Promise.all([
      send(strict, '/'),
      send(strict, '/members'),
      send(lenient, '/'),
      send(lenient, '/members'),
      send(lenient, '/x/../members'),
    ]);
  expect(await sendToAll()).toEqual([204, 401, 204, 401, 403]);
  await server.kill();
  expect(await sendToAll()).toEqual([503, 503, 204, 503, 503]);
  await server.restart();
  await eventually(
    'the gate allows access again',
    recoveryMilliseconds,
    async () => (await send(strict, '/')) === 204,
  );
  await expectRecovery(request);
});

test('rules that changed before PostgreSQL was lost are not used while it is down', { timeout }, async () => {
  const { databaseUrl, gatehouse, request } = await start();
  const other = await makeSite(databaseUrl, { permissions });
  const { address } = await startProcess(databaseUrl, {
    GATEHOUSE_TRUSTED_PROXIES: '127.0.0.1',
    GATEHOUSE_GATE_WITHOUT_STORE: 'public',
  });
  await everyServiceListens(databaseUrl, 2);
  const statusAt = async (host: string) => {
    const headers = { 'x-forwarded-host': host, 'x-original-uri': '/' };
    return (await inTime(visit(address, 'GET', '/_gatehouse/auth', { headers }))).status;
  };
  const allow = (send: typeof request, access: string) =>
    send('PUT', '/access-rules', { rules: [{ path: '/', access }] });
  const requestOther = requestsWith(other.key, () => gatehouse.address);
  await request('PATCH', '/site', { domain: 'club.example.org' });
  await requestOther('PATCH', '/site', { domain: 'other.example.org' });
  for (const send of [request, requestOther]) await allow(send, 'public');
  expect([await statusAt('club.example.org'), await statusAt('other.example.org')]).toEqual([204, 204]);
  // No one visits the first site after this. That the signal of another service has arrived shows at the other site.
  await allow(request, 'members');
  await allow(requestOther, 'members');
  await eventually('the signal', 5_000, async () => (await statusAt('other.example.org')) === 401);
  await allow(requestOther, 'public');
  await eventually('the signal', 5_000, async () => (await statusAt('other.example.org')) === 204);
  await server.kill();
  expect([await statusAt('club.example.org'), await statusAt('other.example.org')]).toEqual([503, 204]);
  await server.restart();
  await expectRecovery(request);
});

test('requests are answered while other programs hold all other connections of PostgreSQL, and afterwards', {
  timeout,
}, async () => {
  const { request } = await start();
  const others = postgres(server.url(), { max: 29, fetch_types: false });
  const holds = Array.from({ length: 29 }, () => others`SELECT pg_sleep(8)`.catch(() => {}));
  const answers = await inTime(
    Promise.all(
      Array.from({ length: 20 }, (_, number) =>
        request('POST', '/members', { email: `crowd${number}@example.com` }),
      ),
    ),
  );
  for (const answer of answers) expect([201, 503]).toContain(answer?.status);
  await others.end({ timeout: 0 });
  await Promise.all(holds);
  await expectRecovery(request);
});

/** A new database with a site, and a service: by default in this process. */
async function start(startService: (databaseUrl: string) => Promise<{ address: string }> = startHere) {
  const databaseUrl = await createDatabase(server.url(), uniqueDatabaseName(), template);
  const { siteId, key } = await makeSite(databaseUrl, { permissions });
  const gatehouse = await startService(databaseUrl);
  const request = requestsWith(key, () => gatehouse.address);
  const groupId: string = (await request('POST', '/access-groups', { name: 'Everybody' }))!.body.data.id;
  return { databaseUrl, siteId, gatehouse, request, groupId };
}

async function startHere(databaseUrl: string) {
  const gatehouse = await startGatehouse(
    {
      ...readSettings({}, 'no file'),
      databaseUrl,
      secretKeys: [secretKey],
      port: 0,
      rateLimit: 0,
      rateLimitUnauthenticated: 0,
    },
    { logger: pino({ level: 'silent' }), onFatal: () => {} },
  );
  onTestFinished(() => gatehouse.stop());
  return gatehouse;
}

/**
 * A service that begins to listen for changes signals them itself, and then every service assumes that rules may have
 * changed. Each one tests the connection that listens every five seconds, with this statement.
 */
async function everyServiceListens(databaseUrl: string, count: number): Promise<void> {
  const client = postgres(databaseUrl, { max: 1, fetch_types: false });
  const listening = () =>
    client`SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND query = 'SELECT 1'`;
  await eventually('every service listens', 60_000, async () => (await listening()).length === count);
  await client.end();
}

async function inTime<T>(answer: Promise<T>): Promise<T> {
  const late = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error('no response in time')), answerMilliseconds).unref();
  });
  return Promise.race([answer, late]);
}

async function expectRecovery(request: ReturnType<typeof requestsWith>): Promise<void> {
  let number = 0;
  await eventually('a successful write', recoveryMilliseconds, async () => {
    number += 1;
    return (await request('POST', '/members', { email: `back${number}@example.com` }))?.status === 201;
  });
}

async function expectExactCounterOfGroup(database: Database, siteId: string, groupId: string) {
  const row = await database.get<{ counter: number; memberships: number }>(sql`
    SELECT membership_count AS counter,
      (SELECT count(*) FROM memberships WHERE site_id = ${siteId} AND group_id = ${groupId}) AS memberships
    FROM access_groups WHERE site_id = ${siteId} AND id = ${groupId}`);
  expect(row!.counter).toBe(row!.memberships);
}
