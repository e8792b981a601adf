import { setTimeout as sleep } from 'node:timers/promises';
import { startPrimaryBalancer } from '../parts/haproxy.ts';
import { requestsWithKey } from '../parts/http.ts';
import { attempt, type Outcome, promise } from '../parts/outcome.ts';
import { PatroniCluster } from '../parts/patroni.ts';
import { withSql } from '../parts/postgres.ts';
import { createSite, type Site, startService } from '../parts/service.ts';
import { until, type World } from '../parts/world.ts';
import { createGroup, findSiteId, Writers } from '../parts/writers.ts';
import type { Scenario } from './scenario.ts';

const rounds = 3;
const maxBackSeconds = 30;
const giveUpSeconds = 120;
const maxSlowestMilliseconds = 10_000;

/** A primary dies with everything on its machine, three times. */
export const failover: Scenario = {
  title: 'the primary of three Patroni nodes and its Patroni are killed, three times',
  programs: ['postgres', 'patroni', 'etcd', 'haproxy'],
  maxMinutes: 15,
  run,
};

/** A process of Gatehouse that reaches the cluster in one way, with its own site and writers. */
interface Path {
  readonly name: string;
  readonly site: Site;
  readonly writers: Writers;
  /** The seconds until a write was acknowledged again in each round; undefined if none was. */
  readonly backSeconds: (number | undefined)[];
}

async function run(world: World): Promise<Outcome[]> {
  const cluster = await PatroniCluster.start(world);
  world.say(`three nodes; ${(await cluster.primary()).name} is the primary`);
  const balancer = await startPrimaryBalancer(
    world,
    cluster.nodes.map(({ name, port, restPort }) => ({ name, port, checkPort: restPort })),
  );
  const urls = {
    'through HAProxy': `postgres://postgres@127.0.0.1:${balancer}/postgres`,
    'list of hosts': cluster.url('postgres'),
  };
  const outcomes: Outcome[] = [];
  const paths: Path[] = [];
  for (const [name, databaseUrl] of Object.entries(urls)) {
    const start = startPath(world, name, databaseUrl);
    await start.then(
      (path) => paths.push(path),
      async () => outcomes.push(await attempt(whatOf(name), () => start as Promise<never>)),
    );
  }
  for (let round = 1; round <= rounds; round += 1) await runRound(world, cluster, paths, round);
  await Promise.all(paths.map(({ writers }) => writers.stop()));
  const { port } = await cluster.primary();
  await withSql(`postgres://postgres@127.0.0.1:${port}/postgres`, async (sql) => {
    for (const path of paths) {
      const checked = await path.writers.check(sql, await findSiteId(sql, path.site.slug));
      outcomes.push(outcomeOf(path, checked));
    }
  });
  return outcomes;
}

function whatOf(name: string): string {
  return `${rounds} primaries killed, ${name}`;
}

async function startPath(world: World, name: string, databaseUrl: string): Promise<Path> {
  const slug = name.toLowerCase().replaceAll(' ', '-');
  const site = await createSite(world, slug, { databaseUrl });
  const service = await startService(world, slug, { databaseUrl });
  const send = requestsWithKey(() => service.address, site.key);
  return { name, site, writers: new Writers(send, await createGroup(send)), backSeconds: [] };
}

async function runRound(
  world: World,
  cluster: PatroniCluster,
  paths: readonly Path[],
  round: number,
): Promise<void> {
  await sleep(3_000);
  const node = await cluster.killPrimary();
  const killed = performance.now();
  world.say(`round ${round}: ${node.name} was killed`);
  await Promise.all(
    paths.map(async ({ name, writers, backSeconds }) => {
      const back = await until(`writes ${name}`, giveUpSeconds, () => {
        return writers.hasSucceededSince(killed) && (performance.now() - killed) / 1_000;
      }).catch(() => undefined);
      backSeconds.push(back);
      world.say(
        `round ${round}: ${name}, writes are back after ${back?.toFixed(1) ?? `more than ${giveUpSeconds}`} s`,
      );
    }),
  );
  await cluster.restart(node);
  world.say(`round ${round}: ${node.name} is a standby again`);
}

function outcomeOf(
  { name, writers, backSeconds }: Path,
  { lost, promises }: Awaited<ReturnType<Writers['check']>>,
): Outcome {
  const { tally } = writers;
  const seconds = backSeconds
    .map((back) => (back === undefined ? 'never' : `${back.toFixed(1)} s`))
    .join(', ');
  return {
    what: whatOf(name),
    tried: `${tally.total} writes`,
    disturbed: tally.describe(),
    lost: `${lost} of ${writers.acknowledgedMembers} members`,
    promises: [
      promise(
        `writes are back within ${maxBackSeconds} s`,
        backSeconds.length === rounds &&
          backSeconds.every((back) => back !== undefined && back <= maxBackSeconds),
        seconds,
      ),
      promise('only 503 meanwhile', tally.countOthers(201, 207, 503) === 0, tally.describe([201, 207, 503])),
      promise(
        `no response takes longer than ${maxSlowestMilliseconds} ms`,
        tally.slowestMilliseconds <= maxSlowestMilliseconds,
        `${Math.round(tally.slowestMilliseconds)} ms`,
      ),
      ...promises,
    ],
  };
}
