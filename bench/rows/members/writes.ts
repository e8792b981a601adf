import { memberAt, mulberry32 } from '../../data.ts';
import { apiPath, type Figures, median, runLoad } from '../../load/load.ts';
import { type ServerProcess, startFloor, startGatehouse } from '../../process.ts';
import { describe, members, type Row, round } from '../row.ts';
import { oneByOne } from './reads.ts';

const bulkSize = 500;

export const createOne: Row = async (bench) => {
  const dataset = await bench.dataset(members);
  const floor = await startFloor(bench.copyOf(dataset));
  const gatehouse = await startGatehouse(bench.copyOf(dataset));
  try {
    const load = {
      requests: [{ method: 'POST' as const, path: '/members', body: newMember }],
      connections: 64,
    };
    const alone: number[] = [];
    const together: Figures[] = [];
    await runLoad(gatehouse, load, 1, bench.folder);
    await bareMilliseconds(floor, 'single');
    for (let turn = 0; turn < (bench.quick ? 1 : 5); turn += 1) {
      for (let repeat = 0; repeat < 5; repeat += 1) alone.push(await bareMilliseconds(floor, 'single'));
      together.push(await runLoad(gatehouse, load, bench.quick ? 1 : 3, bench.folder));
    }
    const aloneMilliseconds = median(alone) / 100;
    const figures = together.toSorted((a, b) => a.perSecond - b.perSecond)[together.length >> 1]!;
    const times = figures.perSecond / (1_000 / aloneMilliseconds);
    return [
      {
        work: 'POST one member, durable, 64 connections, against one fsync per write',
        reference: `${round(1_000 / aloneMilliseconds)}/s (${round(aloneMilliseconds * 1_000)} µs a commit)`,
        gatehouse: describe(figures),
        measured: `${times.toFixed(2)}x`,
        goal: 'at least 5x',
        met: times >= 5,
      },
    ];
  } finally {
    await floor.stop();
    await gatehouse.stop();
  }
};

export const createBulk: Row = async (bench) => {
  const dataset = await bench.dataset(members);
  const floor = await startFloor(bench.copyOf(dataset));
  const gatehouse = await startGatehouse(bench.copyOf(dataset));
  try {
    const bare: number[] = [];
    const through: number[] = [];
    const bodies = bulkBodies();
    for (let turn = 0; turn < (bench.quick ? 10 : 60); turn += 1) {
      bare.push(await bareMilliseconds(floor, 'bulk'));
      through.push(await postBulk(gatehouse, bodies.next().value!));
    }
    const warm = (all: number[]) => median(all.slice(all.length / 5));
    const times = warm(through) / warm(bare);
    return [
      {
        work: 'POST bulk of 500, against bare SQL in one transaction',
        reference: `${round(warm(bare))} ms`,
        gatehouse: `${round(warm(through))} ms`,
        measured: `${times.toFixed(2)}x`,
        goal: 'at most 0.8x',
        met: times <= 0.8,
      },
    ];
  } finally {
    await floor.stop();
    await gatehouse.stop();
  }
};

/** Reads while bulk requests run one after another. */
export const readsBesideBulk: Row = async (bench) => {
  const dataset = bench.copyOf(await bench.dataset(members));
  const server = await startGatehouse(dataset);
  try {
    const load = { requests: oneByOne(dataset), connections: 8 };
    const seconds = bench.quick ? 2 : 8;
    await runLoad(server, load, 2, bench.folder);
    const quiet = await runLoad(server, load, seconds, bench.folder);
    let ended = false;
    const bodies = bulkBodies();
    const bulks: number[] = [];
    const writing = (async () => {
      while (!ended) bulks.push(await postBulk(server, bodies.next().value!));
    })();
    const busy = await runLoad(server, load, seconds, bench.folder).finally(() => {
      ended = true;
    });
    await writing;
    return [
      {
        work: 'GET one member while bulk creates run back to back, 8 connections',
        reference: describe(quiet),
        gatehouse: `${describe(busy)}; bulk ${round(median(bulks))} ms`,
        measured: `p99 ${round(busy.p99Milliseconds)} ms`,
        goal: 'p99 under 6 ms',
        met: busy.p99Milliseconds < 6,
      },
    ];
  } finally {
    await server.stop();
  }
};

export const newMember = '{"email":"new.memberNNNNNNNNN@example.com","displayName":"New Member","paid":true}';

let bulkNumber = 700_000_000;

/** Bodies of 500 members each, without duplicates. */
export function* bulkBodies(): Generator<string, never> {
  const random = mulberry32(2);
  for (;;) {
    const members = Array.from({ length: bulkSize }, () => ({
      ...memberAt(bulkNumber++, random),
      paid: false,
    }));
    yield JSON.stringify({ members });
  }
}

/** Creates 500 members by one request. Returns milliseconds. */
async function postBulk(server: ServerProcess, body: string): Promise<number> {
  const start = performance.now();
  const response = await fetch(`${server.address}${apiPath}/members/bulk`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.key}`, 'content-type': 'application/json' },
    body,
  });
  const { summary } = (await response.json()) as { summary?: { created: number } };
  if (summary?.created !== bulkSize) throw new Error(`A bulk request got the status ${response.status}.`);
  return performance.now() - start;
}

async function bareMilliseconds(floor: ServerProcess, kind: 'bulk' | 'single'): Promise<number> {
  const response = await fetch(`${floor.address}/bare/${kind}`);
  return ((await response.json()) as { milliseconds: number }).milliseconds;
}
