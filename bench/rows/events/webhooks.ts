import { once } from 'node:events';
import { statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { permissions } from '@gatehouse/contract/permissions';
import sql from 'sql-template-tag';
import { newId } from '../../../server/src/base/ids.ts';
import { createApiKey } from '../../../server/src/domain/api-keys/api-keys.ts';
import { createSite } from '../../../server/src/domain/sites/sites.ts';
import { sqlitePath } from '../../../server/src/storage/database-url.ts';
import { openDatabase } from '../../../server/src/storage/open.ts';
import { changing } from '../../../server/test/change.ts';
import { apiPath } from '../../load/load.ts';
import { type ServerProcess, startGatehouse } from '../../process.ts';
import type { ReceiverReport } from '../../services/webhook-receiver.ts';
import { type Bench, type Line, members, type Row, round } from '../row.ts';

const eventsPerSecond = 1_000;
const eventsAtOnce = 100;
const readsPerSecond = 100;
const waitingEvents = 100_000;
const environment = { GATEHOUSE_ALLOWED_NETWORKS: '127.0.0.0/8' };
const goals = { times: 1.5, delaySeconds: 2, mebibytes: 5 };

/** A thousand events a second to a webhook, and one webhook that does not answer beside others. */
export const webhooks: Row = async (bench) => [
  ...(await linesOf(bench, 'SQLite', bench.copyOf(await bench.dataset(members)).databaseUrl)),
  ...(await linesOf(bench, 'PostgreSQL', (await bench.postgresDataset(members)).databaseUrl)),
];

async function linesOf(bench: Bench, store: string, databaseUrl: string): Promise<Line[]> {
  const receiver = await startReceiver();
  const [busy, other] = await keysOfSites(databaseUrl, 2);
  const server = await startGatehouse({ databaseUrl, key: busy! }, { environment });
  try {
    const throughput = await measureThroughput(bench, store, server, busy!, receiver);
    return [...throughput, ...(await measureDead(bench, store, server, other!, receiver, databaseUrl))];
  } finally {
    await server.stop();
    await receiver.stop();
  }
}

interface Receiver {
  readonly url: string;
  received: number;
  /** The types of the messages, and when the last one of each came, by `Date.now()`. */
  readonly latest: Map<string, number>;
  stop(): Promise<number>;
}

async function startReceiver(): Promise<Receiver> {
  const worker = new Worker(new URL('../../services/webhook-receiver.ts', import.meta.url));
  const [url] = await once(worker, 'message');
  const receiver = { url, received: 0, latest: new Map<string, number>(), stop: () => worker.terminate() };
  worker.on('message', ({ received, latest }: ReceiverReport) => {
    receiver.received += received;
    for (const [type, at] of Object.entries(latest)) receiver.latest.set(type, at);
  });
  return receiver;
}

/** Without and with the webhook in turn, so that other work of the machine meets both alike. */
async function measureThroughput(
  bench: Bench,
  store: string,
  server: ServerProcess,
  key: string,
  receiver: Receiver,
): Promise<Line[]> {
  const { rounds, seconds } = bench.quick ? { rounds: 1, seconds: 3 } : { rounds: 6, seconds: 5 };
  await runEvents(server, key, 5, 'warm-up');
  const settings = { url: receiver.url, eventTypes: ['member.created'], parallelism: 20 };
  const webhook = `/webhooks/${await created(server, key, '/webhooks', settings)}`;
  await runEvents(server, key, 2, 'first');
  while (receiver.received < 2 * eventsPerSecond) await sleep(50);
  const [without, beside]: number[][] = [[], []];
  let sending = 0;
  for (let round = 0; round < rounds; round += 1) {
    await send(server, key, 'PATCH', webhook, { enabled: false });
    without!.push(...(await runEvents(server, key, seconds, `without-${round}`)));
    await send(server, key, 'PATCH', webhook, { enabled: true });
    const before = receiver.received;
    const start = performance.now();
    beside!.push(...(await runEvents(server, key, seconds, `with-${round}`)));
    while (receiver.received - before < seconds * eventsPerSecond) await sleep(10);
    sending += performance.now() - start;
  }
  const perSecond = (rounds * seconds * eventsPerSecond) / (sending / 1_000);
  const [one, other] = [p99(without!), p99(beside!)];
  const work = `${store}: ${eventsPerSecond} events a second`;
  return [
    {
      work: `${work}, sent to a webhook`,
      reference: '',
      gatehouse: `${round(perSecond)}/s received`,
      measured: `${round(perSecond)}/s`,
      goal: `at least ${round(eventsPerSecond * 0.98)}/s`,
      met: perSecond >= eventsPerSecond * 0.98,
    },
    {
      work: `${work}: p99 of GET /site with a webhook, against without`,
      reference: `${round(one)} ms`,
      gatehouse: `${round(other)} ms`,
      measured: `${(other / one).toFixed(2)}x`,
      goal: `at most ${goals.times}x`,
      met: other / one <= goals.times,
    },
  ];
}

/** Creates members at a steady rate, and reads beside it. Returns the milliseconds of each read. */
async function runEvents(
  server: ServerProcess,
  key: string,
  seconds: number,
  name: string,
): Promise<number[]> {
  const start = performance.now();
  const times: number[] = [];
  const open: Promise<unknown>[] = [];
  const rounds = (seconds * eventsPerSecond) / eventsAtOnce;
  const reads = setInterval(() => {
    const began = performance.now();
    open.push(send(server, key, 'GET', '/site').then(() => times.push(performance.now() - began)));
  }, 1_000 / readsPerSecond);
  for (let round = 0; round < rounds; round += 1) {
    const emails = Array.from({ length: eventsAtOnce }, (_, n) => ({
      email: `${name}-${round}-${n}@example.com`,
    }));
    open.push(send(server, key, 'POST', '/members/bulk', { members: emails }));
    await sleep(
      Math.max(0, start + ((round + 1) * 1_000 * eventsAtOnce) / eventsPerSecond - performance.now()),
    );
  }
  clearInterval(reads);
  await Promise.all(open);
  return times;
}

function p99(times: readonly number[]): number {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length * 0.99)]!;
}

async function measureDead(
  bench: Bench,
  store: string,
  server: ServerProcess,
  key: string,
  receiver: Receiver,
  databaseUrl: string,
): Promise<Line[]> {
  // No one listens there.
  await send(server, key, 'POST', '/webhooks', { url: 'http://127.0.0.1:65534/', parallelism: 20 });
  await send(server, key, 'POST', '/webhooks', { url: receiver.url, eventTypes: ['site.updated'] });
  const count = bench.quick ? waitingEvents / 10 : waitingEvents;
  for (let first = 0; first < count; first += 500) {
    const emails = Array.from({ length: 500 }, (_, n) => ({ email: `waiting-${first + n}@example.com` }));
    await send(server, key, 'POST', '/members/bulk', { members: emails });
  }
  const size = await sizeOf(databaseUrl);
  let slowest = 0;
  for (let change = 0; change < 10; change += 1) {
    receiver.latest.delete('site.updated');
    await send(server, key, 'PATCH', '/site', { title: `Title ${change}` });
    const changed = Date.now();
    while (!receiver.latest.has('site.updated')) await sleep(1);
    slowest = Math.max(slowest, receiver.latest.get('site.updated')! - changed);
    await sleep(1_000);
  }
  const growth = (await sizeOf(databaseUrl)) - size;
  const work = `${store}: a webhook that does not answer, with ${count.toLocaleString('en')} events that wait`;
  return [
    {
      work: `${work}: delay of another`,
      reference: '',
      gatehouse: `at most ${round(slowest)} ms`,
      measured: `${round(slowest / 1_000)} s`,
      goal: `under ${goals.delaySeconds} s`,
      met: slowest < goals.delaySeconds * 1_000,
    },
    {
      work: `${work}: growth of the database in 10 s`,
      reference: `${round(size)} MiB`,
      gatehouse: `${round(growth)} MiB`,
      measured: `${round(growth)} MiB`,
      goal: `under ${goals.mebibytes} MiB`,
      met: growth < goals.mebibytes,
    },
  ];
}

async function sizeOf(databaseUrl: string): Promise<number> {
  if (databaseUrl.startsWith('sqlite')) return statSync(sqlitePath(databaseUrl)).size / 2 ** 20;
  const database = openDatabase(databaseUrl, { poolSize: 2 });
  const row = await database
    .get<{ size: number }>(sql`SELECT pg_database_size(current_database()) AS size`)
    .finally(() => database.close());
  return Number(row!.size) / 2 ** 20;
}

async function created(server: ServerProcess, key: string, path: string, body: object): Promise<string> {
  return JSON.parse(await send(server, key, 'POST', path, body)).data.id;
}

async function send(
  { address }: ServerProcess,
  key: string,
  method: string,
  path: string,
  body?: object,
): Promise<string> {
  const response = await fetch(`${address}${apiPath}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (response.status >= 300) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
  return text;
}

async function keysOfSites(databaseUrl: string, count: number): Promise<string[]> {
  const database = openDatabase(databaseUrl, { poolSize: 2 });
  try {
    const keys: string[] = [];
    for (let number = 0; number < count; number += 1) {
      const key = await changing(database, newId(), async (change) => {
        await createSite(change, { slug: `sent-${number}` });
        return createApiKey(change, { name: 'Bench', permissions });
      });
      keys.push(key.secret);
    }
    return keys;
  } finally {
    await database.close();
  }
}
