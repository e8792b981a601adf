import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../server/test/free-port.ts';
import { type Answer, requestsWithKey } from '../parts/http.ts';
import { Tally } from '../parts/load.ts';
import { type Outcome, promise } from '../parts/outcome.ts';
import { startPrimary } from '../parts/postgres.ts';
import { pathOf } from '../parts/programs.ts';
import { createSite, startService } from '../parts/service.ts';
import { until, type World } from '../parts/world.ts';
import type { Scenario } from './scenario.ts';

const limit = 50;
const requestsEach = 200;
const maxSlowestMilliseconds = 2_000;
const missed = 'and Redis did not answer in time';

/** Two processes share their limits through Redis, which is killed. */
export const redis: Scenario = {
  title: 'Redis, which shares the rate limits, is killed',
  programs: ['postgres', 'redis'],
  maxMinutes: 4,
  run: async (world) => [await run(world)],
};

async function run(world: World): Promise<Outcome> {
  const server = await startPrimary(world);
  const databaseUrl = server.url();
  const port = await freePort();
  const startRedis = () =>
    world.processes.start('redis', pathOf('redis'), [
      ...['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'],
    ]);
  const running = await startRedis();
  await until('Redis', 10, () => running.output().includes('Ready to accept connections'));
  const settings = { GATEHOUSE_REDIS_URL: `redis://127.0.0.1:${port}`, GATEHOUSE_RATE_LIMIT: limit };
  const keys: string[] = [];
  // Without an option, a key has the limit of the settings.
  for (const slug of ['shared', 'alone']) keys.push((await createSite(world, slug, { databaseUrl }, [])).key);
  const services = [
    await startService(world, 'gatehouse-a', { databaseUrl, settings }),
    await startService(world, 'gatehouse-b', { databaseUrl, settings }),
  ];
  const tally = new Tally();
  const flood = async (key: string): Promise<Answer[]> => {
    const sends = services.map(({ address }) => requestsWithKey(() => address, key));
    const answers = await Promise.all(
      sends.flatMap((send) => Array.from({ length: requestsEach }, () => send('GET', '/site'))),
    );
    for (const answer of answers) tally.add(answer);
    return answers;
  };
  const count = (answers: readonly Answer[]) => answers.filter(({ status }) => status === 200).length;

  const shared = count(await flood(keys[0]!));
  // On a machine that is too busy, Redis may not answer in time.
  const isMissed = services.some(({ program }) => program.output().includes('Redis is unavailable'));
  world.say(`${shared} of ${2 * requestsEach} requests were allowed with Redis; it is killed`);
  await running.kill();
  await sleep(100);
  const answers = await flood(keys[1]!);
  const alone = count(answers);
  const slowest = Math.max(...answers.map(({ milliseconds }) => milliseconds));
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
        isMissed ? `${shared}, ${missed}` : shared,
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
