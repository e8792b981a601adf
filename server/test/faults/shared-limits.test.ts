import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Redis } from 'ioredis';
import { expect, onTestFinished, test } from 'vitest';
import { addressBucket, createRateLimits } from '../../src/http/shared/limits/rate-limit.ts';
import { noteSkipped } from '../skipped.ts';
import { eventually, makeSite, requestsWith, startProcess } from './gatehouse-process.ts';

// A separate Redis. Without the program only the other tests of limits run.
const program = ['redis-server', 'valkey-server'].find((name) => !spawnSync(name, ['--version']).error);
if (!program) noteSkipped('the tests of limits shared through Redis require redis-server.');

const limit = 20;

test.skipIf(!program)(
  'processes share limits through Redis; while it is down each counts on its own',
  { timeout: 90_000 },
  async () => {
    const redis = await startRedis();
    const folder = mkdtempSync(path.join(tmpdir(), 'gatehouse-redis-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const databaseUrl = `sqlite:${path.join(folder, 'gatehouse.db')}`;
    const { key } = await makeSite(databaseUrl);
    const settings = { GATEHOUSE_REDIS_URL: redis.url, GATEHOUSE_RATE_LIMIT: limit };
    const processes = [await startProcess(databaseUrl, settings), await startProcess(databaseUrl, settings)];
    const requests = processes.map(({ address }) => requestsWith(key, () => address));

    /** Counts the responses to this many concurrent requests to each process. */
    const request = async (each: number) => {
      const answers = await Promise.all(
        requests.flatMap((request) => Array.from({ length: each }, () => request('GET', '/site'))),
      );
      const count = (status: number) => answers.filter((answer) => answer?.status === status).length;
      expect(count(200) + count(429)).toBe(answers.length);
      for (const answer of answers) {
        expect(answer!.headers.get('x-ratelimit-limit')).toBe(String(limit));
        expect(answer!.headers.get('x-ratelimit-remaining')).toMatch(/^\d+$/);
        expect(answer!.headers.get('x-ratelimit-reset')).toMatch(/^\d+$/);
      }
      return count(200);
    };

    expect(await request(2 * limit)).toBe(limit);

    await redis.kill();
    await request(1);
    const alone = await request(2 * limit);
    // The one request before counted too, if the process had noticed by then.
    expect(alone).toBeGreaterThanOrEqual(2 * (limit - 1));
    expect(alone).toBeLessThanOrEqual(2 * limit);
    for (const { address } of processes) expect((await fetch(`${address}/readyz`)).status).toBe(200);

    await redis.start();
    await eventually('both count together again', 20_000, async () => {
      const answers = await Promise.all(requests.map((request) => request('GET', '/site')));
      return answers.every((answer) => answer?.status === 200);
    });
    expect(await request(2 * limit)).toBeLessThanOrEqual(limit);
  },
);

test.skipIf(!program)(
  'a Redis that does not answer in time is reported, and not for each request',
  async () => {
    const redis = await startRedis();
    const errors: string[] = [];
    const limits = await createRateLimits(redis.url, ({ message }) => errors.push(message));
    onTestFinished(() => limits.close());
    expect(await limits.consume('bucket', 5)).toMatchObject({ remaining: 4 });
    redis.signal('SIGSTOP');
    for (const remaining of [4, 3]) expect(await limits.consume('bucket', 5)).toMatchObject({ remaining });
    redis.signal('SIGCONT');
    expect(errors).toEqual(['Command timed out']);
  },
);

test.skipIf(!program)('a wide IPv6 network is counted by all processes together', async () => {
  const redis = await startRedis();
  const both = await Promise.all([1, 2].map(() => createRateLimits(redis.url, () => {})));
  for (const limits of both) onTestFinished(() => limits.close());
  let allowed = 0;
  for (let subnet = 0; subnet < 40; subnet += 1) {
    const bucket = addressBucket(`2001:db8:1:${subnet.toString(16)}::1`);
    const { exceeded } = await both[subnet % 2]!.consume(bucket, 2);
    if (!exceeded) allowed += 1;
  }
  expect(allowed).toBe(32);
});

async function startRedis() {
  const folder = mkdtempSync(path.join(tmpdir(), 'gatehouse-redis-'));
  const port = await freePort();
  let child: ChildProcess | undefined;
  const start = async () => {
    child = spawn(program!, ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder], {
      stdio: 'ignore',
    });
    const client = new Redis(port, '127.0.0.1', { retryStrategy: () => 50, maxRetriesPerRequest: null });
    client.on('error', () => {});
    await client.ping();
    client.disconnect();
  };
  const kill = async () => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  onTestFinished(async () => {
    await kill();
    rmSync(folder, { recursive: true, force: true });
  });
  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    start,
    kill,
    signal: (name: NodeJS.Signals) => child!.kill(name),
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
