import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect as connectSocket, createServer, type Socket } from 'node:net';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../src/storage/open.ts';
import { effort } from '../effort.ts';
import { embeddedPostgres, systemPostgres } from '../postgres-programs.ts';
import { type PostgresServer, startPostgres } from '../postgres-server.ts';
import { BulkWriters, expectEveryEvent, expectExactCounter, expectWholeRequests } from './bulk-writers.ts';
import { eventually, makeSite, requestsWith, startProcess } from './gatehouse-process.ts';

const seconds = 1_000;
/** The number of times that PostgreSQL closes its connections, each after a successful request. */
const rounds = effort.lostConnections;

let server: PostgresServer;

beforeAll(async () => {
  server = await startPostgres((embeddedPostgres() ?? systemPostgres())!);
});
afterAll(() => server?.stop('immediate'));

test('when PostgreSQL repeatedly closes its connections, each request is applied completely or not at all', async () => {
  const databaseUrl = await server.createDatabase();
  const { siteId, key } = await makeSite(databaseUrl);
  const gatehouse = await startProcess(databaseUrl);
  const request = requestsWith(key, () => gatehouse.address);
  const groupId = (await request('POST', '/access-groups', { name: 'Everybody' }))!.body.data.id;
  const database = openDatabase(databaseUrl, { poolSize: 2 });

  const writers = new BulkWriters(request, groupId);
  let running = true;
  const readers = Array.from({ length: 4 }, async () => {
    const statuses = new Set<number | undefined>();
    while (running) statuses.add((await request('GET', '/members?limit=5'))?.status);
    return statuses;
  });
  let ended = 0;
  for (let round = 0; round < rounds; round += 1) {
    const answered = writers.answered(207);
    await eventually('a successful request', 30 * seconds, async () => writers.answered(207) > answered);
    const rows = await database
      .all(sql`
          SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND pid <> pg_backend_pid() AND random() < 0.5`)
      .catch(() => []);
    ended += rows.length;
  }
  running = false;
  await writers.stop();
  expect(ended).toBeGreaterThan(10);
  for (const statuses of await Promise.all(readers))
    expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([]);
  expect(writers.sent.filter(({ status }) => status !== 207 && status !== 503)).toEqual([]);
  await expectWholeRequests(database, siteId, writers.sent);
  await writers.repeatAll();
  await expectExactCounter(database, siteId, groupId);
  await expectEveryEvent(database, siteId);
  await database.close();
});

test('connections to PostgreSQL that become silent are replaced', async () => {
  const databaseUrl = await server.createDatabase();
  const { key } = await makeSite(databaseUrl);
  const way = await startWay(databaseUrl);
  const gatehouse = await startProcess(way.url);
  const request = requestsWith(key, () => gatehouse.address);
  // Several connections, so that most of them are idle when they become silent. Bulk requests do not share them.
  const first = await Promise.all(
    Array.from({ length: 30 }, (_, number) =>
      request('POST', '/members/bulk', { members: [{ email: `${number}@example.com` }] }),
    ),
  );
  expect(first.filter((answer) => answer?.status !== 207)).toEqual([]);
  expect(way.connections()).toBeGreaterThan(3);

  way.silence();
  const started = performance.now();
  const answer = await request('POST', '/members', { email: 'silent@example.com' });
  expect([answer?.status, answer?.headers.get('retry-after')]).toEqual([503, '1']);
  expect(performance.now() - started).toBeLessThan(15 * seconds);
  const next = await eventually('an answer', 5 * seconds, async () => {
    const found = await request('POST', '/members', { email: 'silent@example.com' });
    return found?.status === 201 && found;
  });
  expect(next.status).toBe(201);
  expect((await request('GET', '/members?limit=100'))!.body.data).toHaveLength(31);
});

/** A relay to PostgreSQL on its own port, whose connections can become silent without being closed. */
async function startWay(databaseUrl: string) {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const open = new Set<Socket>();
  const entrance = createServer((near) => {
    const far = connectSocket(Number(target.port), target.hostname);
    near.pipe(far);
    far.pipe(near);
    open.add(near);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => {});
    }
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
  });
  entrance.listen(0, '127.0.0.1');
  await once(entrance, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    entrance.close();
  });
  const url = new URL(databaseUrl);
  url.port = String((entrance.address() as AddressInfo).port);
  return {
    url: url.href,
    connections: () => open.size,
    /** Open connections no longer transfer data; new ones do. */
    silence() {
      for (const socket of sockets) {
        socket.unpipe();
        socket.removeAllListeners('data');
        socket.pause();
      }
    },
  };
}
