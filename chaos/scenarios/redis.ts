import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../server/test/free-port.ts';
import { type HttpResponse, requestsWithKey } from '../parts/http.ts';
import { Tally } from '../parts/load.ts';
import { type Outcome, promise } from '../parts/outcome.ts';
import { startPrimary } from '../parts/postgres.ts';
import type { RunningProgram } from '../parts/processes.ts';
import { pathOf } from '../parts/programs.ts';
import { createSite, type Service, startService } from '../parts/service.ts';
import { until, type World } from '../parts/world.ts';
import type { Scenario } from './scenario.ts';

const limit = 50;
const requestsEach = 200;
/** All at once would keep a process busy for longer than it waits for Redis (250 ms). */
const clientsEach = 10;
const maxSlowestMilliseconds = 2_000;

/** Two processes share their limits through Redis, which is killed. */
export const redis: Scenario = {
  title: 'Redis, which shares the rate limits, is killed',
  programs: ['postgres', 'redis'],
  maxMinutes: 4,
  run: async (world) => [await run(world)],
};

async function run(world: World): Promise<Outcome> {
  const databaseUrl = (await startPrimary(world)).url();
  const { running, url } = await startRedis(world);
  const settings = { GATEHOUSE_REDIS_URL: url, GATEHOUSE_RATE_LIMIT: limit };
  const keys: string[] = [];
  // Without an option, a key has the limit of the settings.
  for (const slug of ['shared', 'alone']) keys.push((await createSite(world, slug, { databaseUrl }, [])).key);
  const services = [
    await startService(world, 'gatehouse-a', { databaseUrl, settings }),
    await startService(world, 'gatehouse-b', { databaseUrl, settings }),
  ];
  const tally = new Tally();
  const shared = allowedOf(await flood(services, keys[0]!, tally));
  // On a machine that is too busy, Redis may not answer in time.
  const isMissed = services.some(({ program }) => program.output().includes('Redis is unavailable'));
  world.say(`${shared} of ${2 * requestsEach} requests were allowed with Redis; it is killed`);
  await running.kill();
  await sleep(100);
  const responses = await flood(services, keys[1]!, tally);
  const alone = allowedOf(responses);
  const slowest = Math.max(...responses.map(({ milliseconds }) => milliseconds));
  world.say(`${alone} were allowed without it`);
  return {
    what: 'Redis killed',
    tried: `${tally.total} requests to two processes`,
    disturbed: tally.describe(),
    lost: '-',
    promises: [
      promise(
        `with Redis the limit of ${limit} is exact`,
        shared === limit && !isMissed,
        `${shared}${isMissed ? ', and Redis did not answer in time' : ''}`,
      ),
      promise(
        `without it each process counts: never more than ${2 * limit}`,
        alone >= limit && alone <= 2 * limit,
        alone,
      ),
      promise('no request fails', tally.countOthers(200, 429) === 0, tally.describe([200, 429])),
      promise(
        `no response takes longer than ${maxSlowestMilliseconds} ms`,
        slowest <= maxSlowestMilliseconds,
        `${Math.round(slowest)} ms`,
      ),
    ],
  };
}

async function startRedis(world: World): Promise<{ running: RunningProgram; url: string }> {
  const port = await freePort();
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const running = await world.processes.start('redis', pathOf('redis'), args);
  await until('Redis', 10, () => running.output().includes('Ready to accept connections'));
  return { running, url: `redis://127.0.0.1:${port}` };
}

/** Sends the same number of requests to each process, of several clients. */
async function flood(services: readonly Service[], key: string, tally: Tally): Promise<HttpResponse[]> {
  const responses: HttpResponse[] = [];
  await Promise.all(
    services.map(async ({ address }) => {
      const send = requestsWithKey(() => address, key);
      const client = async () => {
        for (let left = requestsEach / clientsEach; left > 0; left -= 1)
          responses.push(await send('GET', '/site'));
      };
      await Promise.all(Array.from({ length: clientsEach }, client));
    }),
  );
  for (const response of responses) tally.add(response);
  return responses;
}

function allowedOf(responses: readonly HttpResponse[]): number {
  return responses.filter(({ status }) => status === 200).length;
}
