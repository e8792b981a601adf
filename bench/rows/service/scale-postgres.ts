import sql from 'sql-template-tag';
import { memberAt, mulberry32, words } from '../../data.ts';
import { apiPath, median } from '../../load/load.ts';
import { timeSequentially } from '../../load/request-times.ts';
import { type BenchSite, fillWithSites, openForSlowStatements } from '../../many-sites.ts';
import { type ServerProcess, startGatehouse } from '../../process.ts';
import { type Line, type Row, round } from '../row.ts';
import { lists as commonLists, maxMilliseconds, maxTimes, pathOf, roundsOf } from './scale.ts';

const small = 10_000;
const large = 1_000_000;
const manySites = Array.from({ length: 1_000 }, () => 1_000);

/** Half of the members have it, all of them older than the others. */
const olderHalf = 'archive';
export const lists: Readonly<Record<string, string>> = {
  ...commonLists,
  'list, blocked and paid (none), by displayName': '&status=blocked&paid=true&sort=displayName&order=asc',
  'search, one letter': '&q=e',
  'search, two letters, no match': '&q=zq',
  'search, two letters, no match, by displayName': '&q=zq&sort=displayName&order=asc',
  'search, word of the oldest, by displayName': `&q=${words.oldest}&sort=displayName&order=asc`,
  'search, middling word, by email': `&q=${words.middling}&sort=email&order=asc`,
  'search, no match, by email': '&q=zzzzzz&sort=email&order=asc',
  'search, word of the older half': `&q=${olderHalf}`,
  'search, word of the older half, unpaid, by updatedAt': `&q=${olderHalf}&paid=false&sort=updatedAt`,
};

/** Every kind of list in one database with a site of a million members, one of ten thousand, and a thousand of a thousand. */
export const scalePostgres: Row = async (bench) => {
  const databaseUrl = await bench.postgresDatabase();
  const sites = await fillWithSites(databaseUrl, [large, small, ...manySites]);
  const measureIn = async (state: string) => {
    const server = await startGatehouse({ databaseUrl, key: '' });
    try {
      const lines: Line[] = [];
      for (const [name, query] of Object.entries(lists))
        lines.push(await compareSites(server, sites, `${name}, ${state}`, pathOf(query), bench.quick));
      lines.push(
        await compareSites(server, sites, `overview, ${state}`, '/overview?timeZone=UTC', bench.quick),
      );
      return lines;
    } finally {
      await server.stop();
    }
  };
  const fresh = await measureIn('fresh');
  await writeInBulk(databaseUrl, sites[0]!);
  const written = await measureIn('after bulk writes');
  const database = openForSlowStatements(databaseUrl);
  await database.run(sql`VACUUM ANALYZE members`).finally(() => database.close());
  return [...fresh, ...written, ...(await measureIn('after VACUUM ANALYZE'))];
};

async function compareSites(
  server: ServerProcess,
  [first, second, third]: readonly BenchSite[],
  work: string,
  path: string,
  quick: boolean,
): Promise<Line> {
  const targets = [first!, second!, third!].map(({ key }) => ({ server, key }));
  const milliseconds = await timeSequentially(targets, path, roundsOf(quick));
  const [ofLarge, ofSmall, ofTiny] = milliseconds.map(median) as [number, number, number];
  const times = ofLarge / ofSmall;
  return {
    work: `PostgreSQL, ${work}`,
    reference: `p50 ${round(ofSmall)} ms (1,000 members: ${round(ofTiny)})`,
    gatehouse: `p50 ${round(ofLarge)} ms, at most ${round(Math.max(...milliseconds[0]!))}`,
    measured: `${times.toFixed(2)}x`,
    goal: `at most ${maxTimes}x or ${maxMilliseconds} ms`,
    met: times <= maxTimes || ofLarge <= maxMilliseconds,
  };
}

/** Creates 24,000 members by 500, and changes 50,000 others, with the statistics of before. */
async function writeInBulk(databaseUrl: string, { siteId, key }: BenchSite): Promise<void> {
  const database = openForSlowStatements(databaseUrl);
  const server = await startGatehouse({ databaseUrl, key });
  try {
    await database.run(sql`ANALYZE members`);
    const random = mulberry32(large);
    for (let first = large; first < large + 24_000; first += 500) {
      const members = Array.from({ length: 500 }, (_, index) => memberAt(first + index, random));
      const response = await fetch(`${server.address}${apiPath}/members/bulk`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ members }),
      });
      if (response.status !== 207) throw new Error(`A bulk creation answered ${response.status}.`);
      await response.arrayBuffer();
    }
    await database.run(sql`
      UPDATE members SET updated_at = updated_at + interval '1 second'
      WHERE site_id = ${siteId} AND id IN (SELECT id FROM members WHERE site_id = ${siteId} ORDER BY email LIMIT 50000)`);
  } finally {
    await server.stop();
    await database.close();
  }
}
