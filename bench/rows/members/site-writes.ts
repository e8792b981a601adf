import { newId } from '../../../server/src/base/ids.ts';
import { createApiKey } from '../../../server/src/domain/api-keys/api-keys.ts';
import { createSite } from '../../../server/src/domain/sites/sites.ts';
import { openDatabase } from '../../../server/src/storage/open.ts';
import { changing } from '../../../server/test/change.ts';
import { embeddedPostgres, systemPostgres } from '../../../server/test/postgres-programs.ts';
import { startPostgres } from '../../../server/test/postgres-server.ts';
import { fillDatabase } from '../../data.ts';
import { alternate, type LoadRequest, runLoad } from '../../load/load.ts';
import { startGatehouse } from '../../process.ts';
import { startStandby } from '../../services/standby.ts';
import { type Bench, describe, type Line, type Row, round } from '../row.ts';
import { newMember } from './writes.ts';

const members = 10_000;
const sites = 16;
const goal = 3;

/**
 * Writers of one site on PostgreSQL, which lock its event feed until the commit, against one writer: one commit after
 * another. Also with a standby that confirms every commit.
 */
export const siteWrites: Row = async (bench) => {
  const programs = (embeddedPostgres() ?? systemPostgres())!;
  const settings = { shared_buffers: '256MB', wal_level: 'replica', max_wal_senders: 4 };
  const primary = await startPostgres(programs, { fsync: true, settings });
  try {
    const dataset = await fillDatabase(await primary.createDatabase(), members);
    const keys = [dataset.key, ...(await furtherSites(dataset.databaseUrl))];
    const measure = async (name: string) => {
      const server = await startGatehouse(dataset);
      try {
        return await linesOf(bench, name, server, keys);
      } finally {
        await server.stop();
      }
    };
    const lines = await measure('PostgreSQL');
    const standby = await startStandby(programs, primary, settings);
    try {
      return [...lines, ...(await measure('PostgreSQL with a synchronous standby'))];
    } finally {
      await standby.stop('immediate');
    }
  } finally {
    await primary.stop('immediate');
  }
};

async function linesOf(
  bench: Bench,
  name: string,
  server: Awaited<ReturnType<typeof startGatehouse>>,
  keys: readonly string[],
): Promise<Line[]> {
  const load = (connections: number, perSite: readonly string[]) => ({
    server,
    load: { requests: perSite.map(creationOf), connections },
  });
  const oneSite = keys.slice(0, 1);
  const subjects = [load(1, oneSite), load(16, oneSite), load(64, oneSite), load(16, keys)];
  await runLoad(server, subjects[2]!.load, 1, bench.folder);
  const turns = bench.quick ? { rounds: 1, seconds: 2 } : { rounds: 5, seconds: 3 };
  const [alone, few, many, everySite] = await alternate(subjects, turns, bench.folder);
  const line = (writers: number, figures: typeof few): Line => ({
    work: `${name}: POST one member, ${writers} writers of one site, against one writer`,
    reference: describe(alone!),
    gatehouse: describe(figures!),
    measured: `${(figures!.perSecond / alone!.perSecond).toFixed(2)}x`,
    goal: `at least ${goal}x`,
    met: figures!.perSecond >= goal * alone!.perSecond,
  });
  const times = everySite!.perSecond / few!.perSecond;
  return [
    line(16, few),
    line(64, many),
    {
      work: `${name}: POST one member, ${sites} writers of ${sites} sites, against those of one site`,
      reference: `${round(few!.perSecond)}/s`,
      gatehouse: describe(everySite!),
      measured: `${times.toFixed(2)}x`,
      goal: `at most ${goal}x`,
      met: times <= goal,
    },
  ];
}

function creationOf(key: string): LoadRequest {
  return {
    method: 'POST',
    path: '/members',
    headers: { Authorization: `Bearer ${key}` },
    body: newMember,
  };
}

/** Creates further sites. Returns their keys. */
async function furtherSites(databaseUrl: string): Promise<string[]> {
  const database = openDatabase(databaseUrl, { poolSize: 2 });
  try {
    const keys: string[] = [];
    for (let number = 1; number < sites; number += 1) {
      const key = await changing(database, newId(), async (change) => {
        await createSite(change, { slug: `site-${number}` });
        return createApiKey(change, { name: 'Bench', permissions: ['members:write'] });
      });
      keys.push(key.secret);
    }
    return keys;
  } finally {
    await database.close();
  }
}
