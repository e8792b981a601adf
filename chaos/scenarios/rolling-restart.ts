import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../server/test/free-port.ts';
import { startServiceBalancer } from '../parts/haproxy.ts';
import { type HttpResponse, requestsTo, requestsWithKey } from '../parts/http.ts';
import { Load } from '../parts/load.ts';
import { type CheckedPromise, type Outcome, promise } from '../parts/outcome.ts';
import { startPrimary, withSql } from '../parts/postgres.ts';
import { createSite, type Service, startService } from '../parts/service.ts';
import { until, type World } from '../parts/world.ts';
import { findSiteId } from '../parts/writers.ts';
import type { Scenario } from './scenario.ts';

const requests = 40_000;
const clients = 12;
const drainSeconds = 5;
const maxLoadSeconds = 240;
const slowMilliseconds = 2_000;

/** Two processes behind HAProxy are restarted one after the other, as for an update, again and again. */
export const rollingRestart: Scenario = {
  title: `two processes behind HAProxy are restarted one after the other, again and again, with a drain of ${drainSeconds} s`,
  programs: ['postgres', 'haproxy'],
  maxMinutes: 8,
  run: async (world) => [await run(world)],
};

async function run(world: World): Promise<Outcome> {
  const server = await startPrimary(world);
  const databaseUrl = server.url();
  const site = await createSite(world, 'chaos', { databaseUrl });
  const ports = [await freePort(), await freePort()];
  const balancer = await startServiceBalancer(
    world,
    ports.map((port, index) => ({ name: `gatehouse${index}`, port })),
  );
  const address = `http://127.0.0.1:${balancer}`;
  const start = (port: number) =>
    startService(world, `gatehouse-${port}`, {
      databaseUrl,
      port,
      settings: {
        GATEHOUSE_DRAIN_SECONDS: drainSeconds,
        GATEHOUSE_PUBLIC_URL: `http://localhost:${balancer}`,
      },
    });
  const services: Service[] = [];
  for (const port of ports) services.push(await start(port));
  const viaBalancer = requestsTo(() => address);
  await until(
    'both processes behind HAProxy',
    20,
    async () => (await viaBalancer('GET', '/readyz')).status === 200,
  );
  await sleep(2_000);
  const setupLink = await checkSetupLink(services[0]!);

  const created = new Set<string>();
  const load = startLoad(address, site.key, created);
  const drains: CheckedPromise[] = [];
  const end = Date.now() + maxLoadSeconds * 1_000;
  while (load.tally.total < requests && Date.now() < end) {
    const index = drains.length % ports.length;
    await sleep(2_000);
    world.say(`process ${index + 1} is stopped after ${load.tally.total} requests`);
    drains.push(
      await restart(services[index]!, async () => {
        services[index] = await start(ports[index]!);
      }),
    );
    await sleep(2_000);
  }
  await load.stop();
  const lost = await withSql(server.url(), async (sql) => {
    const siteId = await findSiteId(sql, site.slug);
    const rows = await sql<{ email: string }[]>`SELECT email FROM members WHERE site_id = ${siteId}`;
    const stored = new Set(rows.map(({ email }) => email));
    return [...created].filter((email) => !stored.has(email)).length;
  });
  return outcomeOf(load, created.size, lost, [summaryOf(drains), setupLink]);
}

function startLoad(address: string, key: string, created: Set<string>): Load {
  const send = requestsWithKey(() => address, key);
  return new Load(clients, async (client): Promise<HttpResponse> => {
    if (client % 4 !== 0) return send('GET', '/members?limit=1');
    const email = `${randomUUID()}@example.com`;
    const response = await send('POST', '/members', { body: { email } });
    if (response.status === 201) created.add(email);
    return response;
  });
}

/** Stops a process and starts it again. Meanwhile it says that it must get no more requests, and still answers them. */
async function restart(service: Service, start: () => Promise<void>): Promise<CheckedPromise> {
  const send = requestsTo(() => service.address);
  const stopped = service.program.stop();
  const began = performance.now();
  await sleep((drainSeconds * 1_000) / 2);
  const [ready, healthy] = [await send('GET', '/readyz'), await send('GET', '/healthz')];
  await stopped;
  const seconds = (performance.now() - began) / 1_000;
  await start();
  return promise(
    `each process drains: /readyz is 503 for ${drainSeconds} s, and it still responds`,
    ready.status === 503 &&
      healthy.status === 200 &&
      seconds >= drainSeconds &&
      (await service.program.exited) === 0,
    `/readyz ${ready.status ?? ready.error}, /healthz ${healthy.status ?? healthy.error}, ended after ${seconds.toFixed(1)} s`,
  );
}

/** The promise of all restarts: what the first broken one has found, or else the last one. */
function summaryOf(drains: readonly CheckedPromise[]): CheckedPromise {
  const shown = drains.find(({ held }) => !held) ?? drains.at(-1)!;
  return { ...shown, found: `${drains.length} restarts: ${shown.found}` };
}

/** The link that the first process has printed must work although another one has started since. */
async function checkSetupLink({ program }: Service): Promise<CheckedPromise> {
  const text = 'the setup link of the first process works after the start of the second';
  const [, link] = /Open the dashboard: (http\S+)/.exec(program.output()) ?? [];
  if (link === undefined) return promise(text, false, 'no link was printed');
  const { status, error } = await requestsTo(() => '')('GET', link);
  return promise(text, status === 200, `${status ?? error}`);
}

function outcomeOf(
  { tally }: Load,
  created: number,
  lost: number,
  promises: readonly CheckedPromise[],
): Outcome {
  const disturbed = tally.countOthers(200, 201);
  return {
    what: `rolling restarts, drain of ${drainSeconds} s`,
    tried: `${tally.total} requests`,
    disturbed: `${disturbed}: ${tally.describe()}`,
    lost: `${lost} of ${created} members`,
    promises: [
      promise(`${requests} requests are sent`, tally.total >= requests, tally.total),
      promise('no request is disturbed', disturbed === 0, `${disturbed}: ${tally.describe([200, 201])}`),
      promise(
        `no response takes longer than ${slowMilliseconds} ms`,
        tally.countSlowerThan(slowMilliseconds) === 0,
        `${tally.countSlowerThan(slowMilliseconds)}, the slowest ${Math.round(tally.slowestMilliseconds)} ms`,
      ),
      promise('no acknowledged write is lost', lost === 0, `${lost} of ${created}`),
      ...promises,
    ],
  };
}
