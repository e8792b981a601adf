import { setTimeout as sleep } from 'node:timers/promises';
import { requestsWithKey } from '../parts/http.ts';
import type { Tally } from '../parts/load.ts';
import { makeNewerVersion } from '../parts/newer-version.ts';
import { type CheckedPromise, type Outcome, promise } from '../parts/outcome.ts';
import { type PostgresServer, startPrimary, withSql } from '../parts/postgres.ts';
import { createSite, runCommand, type ServiceOptions, startService } from '../parts/service.ts';
import type { World } from '../parts/world.ts';
import { createGroup, findSiteId, Writers } from '../parts/writers.ts';
import type { Scenario } from './scenario.ts';

const events = 300_000;
const maxWriteMilliseconds = 500;
const baselineSeconds = 5;

/** A newer version changes the largest table while the earlier one is in use, and is then rolled back. */
export const upgrade: Scenario = {
  title: `a migration of ${events.toLocaleString('en')} events while the earlier version serves writes`,
  programs: ['postgres'],
  maxMinutes: 10,
  run: async (world) => [await run(world)],
};

async function run(world: World): Promise<Outcome> {
  const server = await startPrimary(world);
  const earlier = { databaseUrl: server.url() };
  const site = await createSite(world, 'chaos', earlier);
  await fillWithEvents(world, server, (await createSite(world, 'large', earlier)).slug);
  const newer = { ...earlier, version: makeNewerVersion(world) };
  const service = await startService(world, 'gatehouse-earlier', earlier);
  const send = requestsWithKey(() => service.address, site.key);
  const writers = new Writers(send, await createGroup(send), { singles: 4, bulks: 1 });
  await sleep(1_000);
  writers.countAnew();
  await sleep(baselineSeconds * 1_000);
  const before = writers.countAnew();

  const planned = await plan(world, newer);
  const { exitCode, stdout, stderr, milliseconds } = await runCommand(world, ['migrate'], newer);
  await sleep(1_000);
  const during = writers.countAnew();
  world.say(`migrate took ${Math.round(milliseconds)} ms: ${(stdout + stderr).trim().split('\n').at(-1)}`);
  const rollout = exitCode === 0 ? await rollOutAndBack(world, earlier, newer) : [];
  await writers.stop();
  const { lost, promises } = await withSql(server.url(), async (sql) =>
    writers.check(sql, await findSiteId(sql, site.slug)),
  ).catch((error) => ({ lost: 0, promises: [promise('the writes can be checked', false, error.message)] }));
  return {
    what: `migration of ${events.toLocaleString('en')} events`,
    tried: `${during.total} writes during it`,
    disturbed: `${during.describe()}; ${during.countSlowerThan(maxWriteMilliseconds)} over ${maxWriteMilliseconds} ms`,
    lost: `${lost} of ${writers.acknowledgedMembers} members`,
    promises: [
      promise(
        'migrate succeeds',
        exitCode === 0,
        exitCode === 0 ? `${Math.round(milliseconds)} ms` : stderr.trim(),
      ),
      planned,
      ...promisesOf(before, during),
      ...rollout,
      ...promises,
    ],
  };
}

function promisesOf(before: Tally, during: Tally): CheckedPromise[] {
  const slow = during.countSlowerThan(maxWriteMilliseconds);
  const slowest = [during, before].map(({ slowestMilliseconds }) => Math.round(slowestMilliseconds));
  return [
    promise(
      `no write takes longer than ${maxWriteMilliseconds} ms`,
      slow === 0,
      `${slow}, the slowest ${slowest[0]} ms; without a migration ${slowest[1]} ms`,
    ),
    promise('every write is acknowledged', during.countOthers(201, 207) === 0, during.describe([201, 207])),
  ];
}

/** `migrate --plan` says what will be done and locked, and changes nothing. */
async function plan(world: World, newer: ServiceOptions): Promise<CheckedPromise> {
  const first = await runCommand(world, ['migrate', '--plan'], newer);
  const second = await runCommand(world, ['migrate', '--plan'], newer);
  const text = 'migrate --plan names the table and the locks, and changes nothing';
  const isPlan = first.exitCode === 0 && /events/.test(first.stdout) && first.stdout === second.stdout;
  return promise(
    text,
    isPlan,
    (first.stdout || first.stderr)
      .trim()
      .replaceAll(/\s*\n\s*/g, ' / ')
      .slice(0, 600),
  );
}

/** Both versions start and work on the new schema. */
async function rollOutAndBack(
  world: World,
  earlier: ServiceOptions,
  newer: ServiceOptions,
): Promise<CheckedPromise[]> {
  const found: CheckedPromise[] = [];
  for (const [name, options] of [
    ['newer', newer],
    ['earlier', earlier],
  ] as const) {
    const text = `the ${name} version starts after the migration`;
    try {
      const { address, program } = await startService(world, `gatehouse-${name}-again`, options);
      const { status } = await fetch(`${address}/readyz`);
      await program.stop();
      found.push(promise(text, status === 200, `/readyz ${status}`));
    } catch (error) {
      found.push(promise(text, false, (error as Error).message.slice(0, 300)));
    }
  }
  return found;
}

/** Events of a site that has had many, without the members that made them. */
async function fillWithEvents(world: World, server: PostgresServer, slug: string): Promise<void> {
  await withSql(server.url(), async (sql) => {
    const siteId = await findSiteId(sql, slug);
    const [head] = await sql<{ position: number }[]>`
      SELECT position::int AS position FROM event_heads WHERE site_id = ${siteId}`;
    await sql`
      INSERT INTO events (site_id, position, id, type, occurred_at, actor_type, member_id, data)
      SELECT ${siteId}, ${head!.position} + number, gen_random_uuid(), 'member.updated', now(), 'key',
        gen_random_uuid(), '{"changed":["displayName"],"displayName":"A name of the usual length"}'
      FROM generate_series(1, ${events}::int) AS number`;
    await sql`UPDATE event_heads SET position = position + ${events} WHERE site_id = ${siteId}`;
    await sql`VACUUM ANALYZE events`;
  });
  world.say(`the database has ${events.toLocaleString('en')} events`);
}
