import type { Dataset } from '../data.ts';
import { checks, type GuardedSite, guard, trusting } from '../guarded-site.ts';
import { alternate, type Figures } from '../load.ts';
import { startFloor, startGatehouse } from '../process.ts';
import { oneByOne } from './reads.ts';
import { type Bench, describe, type Line, members, type Row, round, shareOf } from './row.ts';

const connections = 32;
export const gate: Row = async (bench) => {
  const plain = await bench.dataset(members);
  const site = await guard(bench.copyOf(plain));
  return [await gateAgainstFloor(bench, 'gate check (forward-auth), SQLite', plain, site, 0.75, 3)];
};

export const gatePostgres: Row = async (bench) => {
  const site = await guard(await bench.postgresDataset(members));
  const work = 'gate check (forward-auth), PostgreSQL';
  return [await gateAgainstFloor(bench, work, await bench.dataset(members), site, 0.6)];
};

async function gateAgainstFloor(
  bench: Bench,
  work: string,
  floorData: Dataset,
  site: GuardedSite,
  goal: number,
  p99GoalMilliseconds?: number,
): Promise<Line> {
  const floor = await startFloor(floorData);
  const gatehouse = await startGatehouse(site.dataset, { environment: trusting });
  try {
    const [reference, figures] = (await alternate(
      [
        { server: floor, load: { requests: oneByOne(floorData), connections } },
        { server: gatehouse, load: { requests: checks(site), connections } },
      ],
      bench.quick ? { rounds: 1, seconds: 2 } : { rounds: 5, seconds: 3 },
      bench.folder,
    )) as [Figures, Figures];
    const share = shareOf(reference, figures);
    const { p99Milliseconds } = figures;
    return {
      work,
      reference: describe(reference),
      gatehouse: describe(figures),
      measured: `${share.toFixed(2)} (${round(figures.perSecond / reference.perSecond)} by throughput)`,
      goal: `at least ${goal}${p99GoalMilliseconds ? `, p99 under ${p99GoalMilliseconds} ms` : ''}`,
      met: share >= goal && p99Milliseconds < (p99GoalMilliseconds ?? Infinity),
    };
  } finally {
    await floor.stop();
    await gatehouse.stop();
  }
}
