import type { Dataset } from '../../data.ts';
import { checks, guard, trusting } from '../../guarded-site.ts';
import { alternate, type LoadRequest } from '../../load/load.ts';
import { loadCore, type ServerProcess, serverCore, startGatehouse } from '../../process.ts';
import { oneByOne } from '../members/reads.ts';
import { type Bench, describe, type Line, members, type Row, round } from '../row.ts';

const connections = 32;
const bothCores = [serverCore, loadCore].join();
/** A limit that is counted and never reached: the workers have to count together. */
const counted = { GATEHOUSE_RATE_LIMIT: '1000000000' };

/**
 * Two workers against one process, both on both cores. The load and PostgreSQL run on these cores too, so that two
 * workers can only gain what these leave: on a machine that has a core for each worker the gain is larger.
 */
export const workers: Row = async (bench) => {
  const { dataset, ...site } = await guard(await bench.postgresDataset(members));
  return [
    await againstOne(bench, 'GET one member, PostgreSQL, with a rate limit', dataset, oneByOne(dataset)),
    await againstOne(bench, 'gate check, PostgreSQL', dataset, checks({ dataset, ...site })),
  ];
};

async function againstOne(
  bench: Bench,
  work: string,
  dataset: Dataset,
  requests: LoadRequest[],
): Promise<Line> {
  const start = (workers: number) =>
    startGatehouse(dataset, {
      cores: bothCores,
      environment: { ...trusting, ...counted, GATEHOUSE_WORKERS: String(workers) },
    });
  const servers = [await start(1)];
  try {
    servers.push(await start(2));
    const [one, two] = servers as [ServerProcess, ServerProcess];
    const load = { requests, connections };
    const rounds = bench.quick ? { rounds: 1, seconds: 2 } : { rounds: 5, seconds: 3 };
    const subjects = [one, two].map((server) => ({ server, load }));
    const [alone, together] = await alternate(subjects, rounds, bench.folder);
    const memory = two.processMebibytes().map(round).join(' + ');
    return {
      work: `2 workers against 1 process: ${work}`,
      reference: `${describe(alone!)}; ${round(one.residentMebibytes())} MiB`,
      gatehouse: `${describe(together!)}; ${memory} MiB`,
      measured: `${round(together!.perSecond / alone!.perSecond)}x by throughput`,
      goal: 'none',
      met: true,
    };
  } finally {
    for (const server of servers) await server.stop();
  }
}
