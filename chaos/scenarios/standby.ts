import { setTimeout as sleep } from 'node:timers/promises';
import { createMovableAddress } from '../parts/address.ts';
import { type HttpResponse, requestsTo, requestsWithKey, type Send } from '../parts/http.ts';
import { Load, type Tally } from '../parts/load.ts';
import { type CheckedPromise, type Outcome, promise } from '../parts/outcome.ts';
import { startPrimary, startStandby, withSql } from '../parts/postgres.ts';
import { createSite, startService } from '../parts/service.ts';
import { until, type World } from '../parts/world.ts';
import { createGroup, findSiteId, Writers } from '../parts/writers.ts';
import type { Scenario } from './scenario.ts';

const standbySeconds = 3;
const maxBackMilliseconds = 2_000;
const maxWaitSeconds = 60;
const maxSlowestMilliseconds = 5_000;

/** An address leads to a standby for a while, as during a failover or after a wrong entry in the DNS. */
export const standby: Scenario = {
  title: 'the address of the database leads to a standby for 3 s, and then to the primary again',
  programs: ['postgres'],
  maxMinutes: 4,
  run: async (world) => [await run(world)],
};

async function run(world: World): Promise<Outcome> {
  const primary = await startPrimary(world);
  const follower = await startStandby(world, primary);
  const address = await createMovableAddress(world, primary.port);
  const databaseUrl = `postgres://postgres@127.0.0.1:${address.port}/postgres`;
  const site = await createSite(world, 'chaos', { databaseUrl });
  const service = await startService(world, 'gatehouse', { databaseUrl });
  const send = requestsWithKey(() => service.address, site.key);
  const writers = new Writers(send, await createGroup(send));
  const reads = new Load(2, () => send('GET', '/members?limit=1'), 10);
  const health = watchHealth(requestsTo(() => service.address));
  await sleep(2_000);

  world.say(`the address leads to the standby for ${standbySeconds} s`);
  health.begin('standby');
  address.leadTo(follower.port);
  address.breakConnections();
  await sleep(standbySeconds * 1_000);
  // Connections to the standby stay open, as nothing breaks them.
  address.leadTo(primary.port);
  health.begin('primary');
  const firstWrite = await untilWrite(world, writers);
  await sleep(3_000);
  for (const load of [health, reads, writers]) await load.stop();
  const { lost, promises } = await withSql(primary.url(), async (sql) =>
    writers.check(sql, await findSiteId(sql, site.slug)),
  );
  return {
    what: 'address leads to a standby',
    tried: `${writers.tally.total} writes, ${reads.tally.total} reads`,
    disturbed: `writes ${writers.tally.describe()}; reads ${reads.tally.describe()}`,
    lost: `${lost} of ${writers.acknowledgedMembers} members`,
    promises: [firstWrite, ...promisesOf(writers.tally, reads.tally), ...health.promises(), ...promises],
  };
}

async function untilWrite(world: World, writers: Writers): Promise<CheckedPromise> {
  const start = performance.now();
  const text = `the first write is acknowledged within ${maxBackMilliseconds} ms`;
  try {
    await until('a write', maxWaitSeconds, () => writers.hasSucceededSince(start));
    const milliseconds = Math.round(performance.now() - start);
    world.say(`the first write was acknowledged after ${milliseconds} ms`);
    return promise(text, milliseconds <= maxBackMilliseconds, `${milliseconds} ms`);
  } catch {
    world.say(`no write was acknowledged within ${maxWaitSeconds} s`);
    return promise(text, false, `none within ${maxWaitSeconds} s`);
  }
}

function promisesOf(writes: Tally, reads: Tally): CheckedPromise[] {
  return [
    promise(
      'writes are answered only with 503 meanwhile',
      writes.countOthers(201, 207, 503) === 0,
      writes.describe([201, 207, 503]),
    ),
    promise(
      'reads are answered only with 503 meanwhile',
      reads.countOthers(200, 503) === 0,
      reads.describe([200, 503]),
    ),
    promise(
      `no response takes longer than ${maxSlowestMilliseconds} ms`,
      writes.slowestMilliseconds <= maxSlowestMilliseconds,
      `${Math.round(writes.slowestMilliseconds)} ms`,
    ),
  ];
}

/** Calls the two health checks and a read beside them, in each phase. */
function watchHealth(send: Send) {
  const phases: Record<string, Moment[]> = { before: [], standby: [], primary: [] };
  let phase = 'before';
  let isStopped = false;
  const running = (async () => {
    while (!isStopped) {
      const own = phases[phase]!;
      const [ready, writes] = await Promise.all([send('GET', '/readyz'), send('GET', '/readyz/writes')]);
      own.push({ ready, writes, at: performance.now() });
      await sleep(50);
    }
  })();
  const statuses = (of: string, kind: 'ready' | 'writes') =>
    describeStatuses(phases[of]!.map((each) => each[kind]));
  return {
    begin: (next: string) => {
      phase = next;
    },
    stop: async () => {
      isStopped = true;
      await running;
    },
    promises: () => {
      const afterwards = phases.primary!.at(-1);
      return [
        promise(
          '/readyz/writes fails while writes do not work',
          phases.standby!.some(({ writes }) => writes.status === 503),
          `${statuses('standby', 'writes')}; before ${statuses('before', 'writes')}`,
        ),
        promise(
          '/readyz and /readyz/writes are 200 afterwards',
          afterwards?.ready.status === 200 && afterwards.writes.status === 200,
          `/readyz ${statuses('primary', 'ready')}; /readyz/writes ${statuses('primary', 'writes')}`,
        ),
        promise(
          '/readyz is 200 or 503 meanwhile',
          phases.standby!.every(({ ready }) => ready.status === 200 || ready.status === 503),
          statuses('standby', 'ready'),
        ),
      ];
    },
  };
}

interface Moment {
  readonly ready: HttpResponse;
  readonly writes: HttpResponse;
  readonly at: number;
}

function describeStatuses(responses: readonly HttpResponse[]): string {
  const counts = Object.entries(Object.groupBy(responses, ({ status }) => String(status)));
  return counts.map(([status, all]) => `${all!.length} × ${status}`).join(', ') || 'none';
}
