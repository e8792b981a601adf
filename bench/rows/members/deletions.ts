import { setTimeout as sleep } from 'node:timers/promises';
import sql from 'sql-template-tag';
import type { Dataset } from '../../data.ts';
import { apiPath, median } from '../../load/load.ts';
import { timeSequentially } from '../../load/request-times.ts';
import { openForSlowStatements } from '../../many-sites.ts';
import { type ServerProcess, startGatehouse } from '../../process.ts';
import { type Bench, type Line, type Row, round } from '../row.ts';
import { maxMilliseconds, roundsOf } from '../service/scale.ts';

const members = 1_000_000;
const maxWriteMilliseconds = 100;
const membersAtOnce = 500;

/** What deletions cost others at a million members: a group of an eighth of them, and then many members. */
export const deletions: Row = async (bench) => {
  const lines: Line[] = [];
  const stores: [string, Dataset][] = [
    ['SQLite', bench.copyOf(await bench.dataset(members))],
    ['PostgreSQL', await bench.postgresDataset(members)],
  ];
  for (const [store, dataset] of stores) {
    const environment = { GATEHOUSE_PURGE_INTERVAL_SECONDS: '1' };
    const server = await startGatehouse(dataset, { environment });
    try {
      lines.push(await deleteGroup(store, server, dataset));
      lines.push(await overview(bench, store, server, 'overview'));
      await deleteMembers(server, bench.quick ? 2_000 : 50_000);
      lines.push(await overview(bench, store, server, 'overview, right after many members are deleted'));
    } finally {
      await server.stop();
    }
  }
  return lines;
};

/** The longest time of a write while a large group is deleted, until nothing of it is left. */
async function deleteGroup(
  store: string,
  server: ServerProcess,
  { databaseUrl, siteId, groupId }: Dataset,
): Promise<Line> {
  const database = openForSlowStatements(databaseUrl);
  const memberships = async () =>
    (await database.get<{ count: number }>(
      sql`SELECT count(*) AS count FROM memberships WHERE site_id = ${siteId} AND group_id = ${groupId}`,
    ))!.count;
  try {
    const size = await memberships();
    const start = performance.now();
    const path = `/access-groups/${groupId}`;
    const [deleted, writes] = await Promise.all([
      timeOf(() => send(server, 'DELETE', path, undefined)),
      writesUntil(server, async () => performance.now() - start > 2_000 && (await memberships()) === 0),
    ]);
    const worst = Math.max(...writes);
    return {
      work: `${store}, delete a group of ${size.toLocaleString('en')} members: the longest of other writes`,
      reference: `p50 ${round(median(writes))} ms`,
      gatehouse: `deleted in ${round(deleted)} ms, memberships in ${round((performance.now() - start) / 1_000)} s`,
      measured: `${round(worst)} ms`,
      goal: `at most ${maxWriteMilliseconds} ms`,
      met: worst <= maxWriteMilliseconds,
    };
  } finally {
    await database.close();
  }
}

/** Creates one member after the other. Returns the milliseconds of each. */
async function writesUntil(server: ServerProcess, isOver: () => Promise<boolean>): Promise<number[]> {
  const milliseconds: number[] = [];
  let over = false;
  const wait = (async () => {
    while (!over) {
      await sleep(500);
      over = await isOver();
    }
  })();
  for (let index = 0; !over; index += 1) {
    const email = `writer-${index}@example.com`;
    milliseconds.push(await timeOf(() => send(server, 'POST', '/members', { email })));
  }
  await wait;
  return milliseconds;
}

async function overview(bench: Bench, store: string, server: ServerProcess, work: string): Promise<Line> {
  const path = '/overview?timeZone=UTC';
  const [milliseconds] = await timeSequentially([{ server, key: server.key }], path, roundsOf(bench.quick));
  const p50 = median(milliseconds!);
  return {
    work: `${store}, ${work}: 1,000,000 members`,
    reference: `first ${round(milliseconds![0]!)} ms`,
    gatehouse: `at most ${round(Math.max(...milliseconds!))} ms`,
    measured: `p50 ${round(p50)} ms`,
    goal: `at most ${maxMilliseconds} ms`,
    met: p50 <= maxMilliseconds,
  };
}

/** Deletes the newest members of the site. */
async function deleteMembers(server: ServerProcess, count: number): Promise<void> {
  for (let deleted = 0; deleted < count; ) {
    const ids: string[] = [];
    for (let after = ''; ids.length < membersAtOnce; after = `&after=${ids.at(-1)}`) {
      const { data } = await send(server, 'GET', `/members?limit=100${after}`, undefined);
      for (const { id } of data) ids.push(id);
    }
    await send(server, 'POST', '/members/bulk-actions', { memberIds: ids, action: { type: 'delete' } });
    deleted += ids.length;
  }
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function send(
  { address, key }: ServerProcess,
  method: string,
  path: string,
  body: unknown,
): Promise<{ data: { id: string }[] }> {
  const response = await fetch(`${address}${apiPath}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}.`);
  return response.status === 204 ? { data: [] } : ((await response.json()) as { data: { id: string }[] });
}
