import type { Dataset } from '../data.ts';
import { alternate, type Figures, type Load, type LoadRequest } from '../load.ts';
import { startFloor, startGatehouse } from '../process.ts';
import { type Bench, describe, type Line, members, type Row, round, shareOf } from './row.ts';

const connections = 32;

export const oneMember: Row = async (bench) => {
  const dataset = await bench.dataset(members);
  return [await againstFloor(bench, 'GET one member, SQLite', dataset, dataset, oneByOne, 0.75)];
};

export const list: Row = async (bench) => {
  const dataset = await bench.dataset(members);
  return [await againstFloor(bench, 'GET a list of 50, SQLite', dataset, dataset, pages, 0.75)];
};

export const oneMemberPostgres: Row = async (bench) => {
  const work = 'GET one member, PostgreSQL';
  const dataset = await bench.postgresDataset(members);
  return [await againstFloor(bench, work, await bench.dataset(members), dataset, oneByOne, 0.6)];
};

export const deepPage: Row = async (bench) => {
  const dataset = await bench.dataset(members);
  const server = await startGatehouse(dataset);
  try {
    const at = (after: string): Load => ({
      requests: [{ method: 'GET', path: `/members?limit=50${after}` }],
      connections,
    });
    const [first, deep] = (await alternate(
      [
        { server, load: at('') },
        { server, load: at(`&after=${dataset.pageThousand}`) },
      ],
      timing(bench),
      bench.folder,
    )) as [Figures, Figures];
    const times = 1 / shareOf(first, deep);
    return [
      {
        work: 'page 1,000 of a list, against page 1',
        reference: describe(first),
        gatehouse: describe(deep),
        measured: `${times.toFixed(2)}x`,
        goal: 'at most 1.2x',
        met: times <= 1.2,
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

async function againstFloor(
  bench: Bench,
  work: string,
  floorData: Dataset,
  data: Dataset,
  requests: (dataset: Dataset) => LoadRequest[],
  goal: number,
): Promise<Line> {
  const floor = await startFloor(floorData);
  const gatehouse = await startGatehouse(data);
  try {
    const [reference, figures] = (await alternate(
      [
        { server: floor, load: { requests: requests(floorData), connections } },
        { server: gatehouse, load: { requests: requests(data), connections } },
      ],
      timing(bench),
      bench.folder,
    )) as [Figures, Figures];
    const share = shareOf(reference, figures);
    return {
      work,
      reference: describe(reference),
      gatehouse: describe(figures),
      measured: `${share.toFixed(2)} (${round(figures.perSecond / reference.perSecond)} by throughput)`,
      goal: `at least ${goal}`,
      met: share >= goal,
    };
  } finally {
    await floor.stop();
    await gatehouse.stop();
  }
}

function timing({ quick }: Bench) {
  return quick ? { rounds: 1, seconds: 2 } : { rounds: 5, seconds: 3 };
}
