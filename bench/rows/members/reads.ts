import type { Dataset } from '../../data.ts';
import { compare } from '../../load/compare.ts';
import type { Load, LoadRequest } from '../../load/load.ts';
import { startFloor, startGatehouse } from '../../process.ts';
import { type Bench, describe, type Line, members, type Row, share, slicesOf } from '../row.ts';

const connections = 32;

export const oneMember: Row = async (bench) => {
  const dataset = await bench.dataset(members);
  return [await againstFloor(bench, 'GET one member, SQLite', dataset, dataset, oneByOne, 0.85)];
};

export const list: Row = async (bench) => {
  const dataset = await bench.dataset(members);
  return [await againstFloor(bench, 'GET a list of 50, SQLite', dataset, dataset, pages, 0.8)];
};

export const oneMemberPostgres: Row = async (bench) => {
  const floorData = await bench.dataset(members);
  const dataset = await bench.postgresDataset(members);
  return [
    await againstFloor(bench, 'GET one member, PostgreSQL', floorData, dataset, oneByOne, 0.7),
    await againstFloor(bench, 'GET a list of 50, PostgreSQL', floorData, dataset, pages),
  ];
};

export const deepPage: Row = async (bench) => {
  const dataset = await bench.dataset(members);
  const server = await startGatehouse(dataset);
  try {
    const at = (after: string): Load => ({
      requests: [{ method: 'GET', path: `/members?limit=50${after}` }],
      connections,
    });
    const comparison = await compare(
      { server, load: at('') },
      { server, load: at(`&after=${dataset.pageThousand}`) },
      slicesOf(bench),
    );
    const times = 1 / comparison.share;
    return [
      {
        work: 'page 1,000 of a list, against page 1',
        reference: describe(comparison.figures[0]),
        gatehouse: describe(comparison.figures[1]),
        measured: `${times.toFixed(3)}x ± ${comparison.spread.toFixed(3)}`,
        goal: 'at most 1.1x',
        met: times <= 1.1,
      },
    ];
  } finally {
    await server.stop();
  }
};

/** One request for each member of the sample. */
export function oneByOne({ sample }: Dataset): LoadRequest[] {
  return sample.map((id) => ({ method: 'GET', path: `/members/${id}` }));
}

function pages(): LoadRequest[] {
  return [{ method: 'GET', path: '/members?limit=50' }];
}

/** @param goal without it the row is only measured */
async function againstFloor(
  bench: Bench,
  work: string,
  floorData: Dataset,
  data: Dataset,
  requests: (dataset: Dataset) => LoadRequest[],
  goal = 0,
): Promise<Line> {
  const floor = await startFloor(floorData);
  const gatehouse = await startGatehouse(data);
  try {
    const comparison = await compare(
      { server: floor, load: { requests: requests(floorData), connections } },
      { server: gatehouse, load: { requests: requests(data), connections } },
      slicesOf(bench),
    );
    return {
      work,
      reference: describe(comparison.figures[0]),
      gatehouse: describe(comparison.figures[1]),
      measured: share(comparison),
      goal: goal === 0 ? 'none' : `at least ${goal}`,
      met: comparison.share >= goal,
    };
  } finally {
    await floor.stop();
    await gatehouse.stop();
  }
}
