import { setTimeout as sleep } from 'node:timers/promises';
import type { SourceRun } from '@gatehouse/contract';
import { maxListPartPeople } from '@gatehouse/contract/limits';
import type { Dataset } from '../../data.ts';
import { checks, guard, trusting } from '../../guarded-site.ts';
import { checksPerSecond, startChecks } from '../../load/gate-checks.ts';
import { apiPath } from '../../load/load.ts';
import { type ServerProcess, startGatehouse } from '../../process.ts';
import { type Bench, type Line, members, type Row, round } from '../row.ts';

const collections = 50;
const people = 100_000;
const goals = { sqliteSeconds: 60, postgresSeconds: 120, mebibytes: 200, gateMilliseconds: 10 };
const pollMilliseconds = 200;

/** The first synchronization of many people, while the gate is loads. */
export const sources: Row = async (bench) => [
  ...(await firstSync(bench, 'SQLite', bench.copyOf(await bench.dataset(members)), goals.sqliteSeconds)),
  ...(await firstSync(bench, 'PostgreSQL', await bench.postgresDataset(members), goals.postgresSeconds)),
];

async function firstSync(bench: Bench, store: string, dataset: Dataset, maxSeconds: number): Promise<Line[]> {
  const site = await guard(dataset);
  const server = await startGatehouse(site.dataset, { environment: trusting });
  try {
    let mebibytes = server.residentMebibytes();
    const gate = startChecks(server, checks(site));
    const watching = setInterval(() => {
      mebibytes = Math.max(mebibytes, server.residentMebibytes());
    }, pollMilliseconds);
    const { read, seconds } = await syncEverybody(server, bench.quick ? people / 10 : people).finally(() =>
      clearInterval(watching),
    );
    const slowest = await gate.end();
    const work = `first synchronization of ${read.toLocaleString('en')} people in ${collections} collections, ${store}`;
    const gatehouse = `${round(seconds)} s, up to ${round(mebibytes)} MiB, gate p99 ${round(slowest)} ms`;
    return [
      {
        work,
        reference: '',
        gatehouse,
        measured: `${round(seconds)} s`,
        goal: `under ${maxSeconds} s`,
        met: seconds < maxSeconds,
      },
      {
        work: `${work}: memory`,
        reference: '',
        gatehouse,
        measured: `${round(mebibytes)} MiB`,
        goal: `under ${goals.mebibytes} MiB`,
        met: mebibytes < goals.mebibytes,
      },
      {
        work: `${work}: gate, ${checksPerSecond} checks a second`,
        reference: '',
        gatehouse,
        measured: `p99 ${round(slowest)} ms`,
        goal: `under ${goals.gateMilliseconds} ms`,
        met: slowest < goals.gateMilliseconds,
      },
    ];
  } finally {
    await server.stop();
  }
}

/** Uploads every collection of one source, and waits until all of them are synchronized. */
async function syncEverybody(
  server: ServerProcess,
  total: number,
): Promise<{ read: number; seconds: number }> {
  const start = performance.now();
  const { id } = await call<{ id: string }>(server, 'POST', '/sources', { type: 'program', name: 'Bench' });
  const runs: string[] = [];
  for (let collection = 0; collection < collections; collection += 1) {
    runs.push(await upload(server, id, collection, total / collections));
  }
  let read = 0;
  for (const runId of runs) {
    let run: SourceRun;
    do {
      run = await call<SourceRun>(server, 'GET', `/sources/${id}/runs/${runId}`);
      if (run.endedAt === null) await sleep(pollMilliseconds);
    } while (run.endedAt === null);
    if (run.status !== 'succeeded') throw new Error(`A run ended as ${run.status}.`);
    read += run.counts.added;
  }
  return { read, seconds: (performance.now() - start) / 1_000 };
}

async function upload(
  server: ServerProcess,
  sourceId: string,
  collection: number,
  size: number,
): Promise<string> {
  for (let from = 0; ; from += maxListPartPeople) {
    const count = Math.min(maxListPartPeople, size - from);
    const complete = from + count >= size;
    const people = Array.from({ length: count }, (_, index) => ({
      email: `person${collection * size + from + index}@sources.example`,
      displayName: `Person ${index}`,
      paid: index % 3 === 0,
    }));
    const path = `/sources/${sourceId}/collections/collection-${collection}/people`;
    const body = { list: 'first', part: from / maxListPartPeople, people, complete };
    const { run } = await call<{ run: { id: string } | null }>(server, 'PUT', path, body);
    if (run) return run.id;
  }
}

async function call<T>(server: ServerProcess, method: string, path: string, body?: unknown): Promise<T> {
  const response = await fetch(server.address + apiPath + path, {
    method,
    headers: { authorization: `Bearer ${server.key}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!response.ok)
    throw new Error(`${method} ${path} got the status ${response.status}: ${await response.text()}`);
  return ((await response.json()) as { data: T }).data;
}
