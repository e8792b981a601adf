import { words } from '../../data.ts';
import { apiPath, type LoadRequest, median, runLoad } from '../../load/load.ts';
import { startGatehouse } from '../../process.ts';
import { oneByOne } from '../members/reads.ts';
import { newMember } from '../members/writes.ts';
import { members, type Row, round } from '../row.ts';

const many = 1_000_000;
const maxMebibytes = 130;
const maxSeconds = 0.5;

/** Memory after a minute of mixed load on a site of a million members. */
export const memory: Row = async (bench) => {
  const dataset = bench.copyOf(await bench.dataset(many));
  const server = await startGatehouse(dataset);
  try {
    const fresh = server.residentMebibytes();
    const single = oneByOne(dataset);
    const others: LoadRequest[] = [
      { method: 'GET', path: '/members?limit=100' },
      { method: 'GET', path: `/members?limit=50&q=${words.rare}` },
      { method: 'GET', path: `/members?limit=50&q=${words.common}` },
      { method: 'GET', path: '/members?limit=50&sort=email&order=asc' },
      { method: 'GET', path: '/members?limit=50&paid=true' },
      { method: 'GET', path: '/access-groups' },
      { method: 'GET', path: '/events?limit=50' },
      { method: 'POST', path: '/members', body: newMember },
    ];
    const requests = single.flatMap((request, index) => [request, others[index % others.length]!]);
    const figures = await runLoad(server, { requests, connections: 32 }, bench.quick ? 5 : 60, bench.folder);
    const loaded = server.residentMebibytes();
    return [
      {
        work: 'memory after a million members and a minute of mixed load',
        reference: `${round(fresh)} MiB before the load`,
        gatehouse: `${round(loaded)} MiB, ${round(figures.perSecond)} requests/s`,
        measured: `${round(loaded)} MiB`,
        goal: `at most ${maxMebibytes} MiB`,
        met: loaded <= maxMebibytes,
      },
    ];
  } finally {
    await server.stop();
  }
};

/** From the start of the process to the response to a request for a member. */
export const startUp: Row = async (bench) => {
  const dataset = await bench.dataset(members);
  const seconds: number[] = [];
  for (let turn = 0; turn < (bench.quick ? 3 : 9); turn += 1) {
    const start = performance.now();
    const server = await startGatehouse(dataset);
    const response = await fetch(`${server.address}${apiPath}/members/${dataset.sample[0]}`, {
      headers: { authorization: `Bearer ${dataset.key}` },
    });
    await response.text();
    seconds.push((performance.now() - start) / 1_000);
    await server.stop();
    if (response.status !== 200) throw new Error(`The first request got the status ${response.status}.`);
  }
  const middle = median(seconds);
  return [
    {
      work: 'start to first response',
      reference: '',
      gatehouse: `${round(Math.min(...seconds))} s to ${round(Math.max(...seconds))} s`,
      measured: `${round(middle)} s`,
      goal: `at most ${maxSeconds} s`,
      met: middle <= maxSeconds,
    },
  ];
};
