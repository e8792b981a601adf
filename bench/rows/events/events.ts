import { systemContext } from '../../../server/src/base/change-context.ts';
import { Change } from '../../../server/src/domain/events/change.ts';
import { createMembers } from '../../../server/src/domain/members/new-members.ts';
import type { Database } from '../../../server/src/storage/database.ts';
import { openDatabase } from '../../../server/src/storage/open.ts';
import { type Dataset, memberAt, mulberry32 } from '../../data.ts';
import { median } from '../../load/load.ts';
import { startGatehouse } from '../../process.ts';
import { bulkBodies, postBulk } from '../members/writes.ts';
import { type Bench, type Line, members, type Row, round } from '../row.ts';

const bulkSize = 500;
const goal = 0.25;

/**
 * The share of writing events in the time of a bulk create of 500 members: what a transaction takes longer with its events
 * than without, against the time of the whole request. All three are measured in turn.
 */
export const events: Row = async (bench) => [
  await lineOf(bench, 'SQLite', bench.copyOf(await bench.dataset(members))),
  await lineOf(bench, 'PostgreSQL', await bench.postgresDataset(members)),
];

async function lineOf(bench: Bench, store: string, dataset: Dataset): Promise<Line> {
  const server = await startGatehouse(dataset);
  const database = openDatabase(dataset.databaseUrl, { poolSize: 2 });
  const times = { with: [] as number[], without: [] as number[], request: [] as number[] };
  try {
    const drafts = newDrafts();
    const bodies = bulkBodies();
    for (let turn = 0; turn < (bench.quick ? 10 : 100); turn += 1) {
      times.request.push(await postBulk(server, bodies.next().value));
      for (const kind of turn % 2 === 0 ? (['with', 'without'] as const) : (['without', 'with'] as const))
        times[kind].push(
          await millisecondsOf(database, dataset.siteId, drafts.next().value!, kind === 'with'),
        );
    }
  } finally {
    await database.close();
    await server.stop();
  }
  // The first fifth warms up.
  const warm = (all: number[]) => median(all.slice(all.length / 5));
  const [without, complete, request] = [warm(times.without), warm(times.with), warm(times.request)];
  const share = (complete - without) / request;
  return {
    work: `${store}: writing the events of a bulk create of 500, as a share of its time`,
    reference: `transaction ${round(without)} ms without events, ${round(complete)} ms with them`,
    gatehouse: `request ${round(request)} ms`,
    measured: `${Math.round(share * 100)}%`,
    goal: `at most ${goal * 100}%`,
    met: share <= goal,
  };
}

async function millisecondsOf(
  database: Database,
  siteId: string,
  drafts: Parameters<typeof createMembers>[1],
  writesEvents: boolean,
): Promise<number> {
  const start = performance.now();
  await database.transaction(async (tx) => {
    const change = new Change(tx, siteId, systemContext(new Date().toISOString()));
    await createMembers(change, drafts);
    if (writesEvents) await change.writeEvents();
  });
  return performance.now() - start;
}

function* newDrafts() {
  const random = mulberry32(3);
  for (let number = 800_000_000; ; )
    yield Array.from({ length: bulkSize }, () => ({ ...memberAt(number++, random), paid: false }));
}
