import sql, { type Sql } from 'sql-template-tag';
import { createAccessGroup } from '../../../server/src/domain/access-groups/access-groups.ts';
import type { Transaction } from '../../../server/src/storage/database.ts';
import type { SiteData } from '../../../server/src/storage/site-view.ts';
import { changing } from '../../../server/test/change.ts';
import { type Dataset, words } from '../../data.ts';
import { median } from '../../load/load.ts';
import { timeSequentially } from '../../load/request-times.ts';
import { openForSlowStatements } from '../../many-sites.ts';
import { startGatehouse } from '../../process.ts';
import { type Bench, type Line, type Row, round } from '../row.ts';
import { pathOf, roundsOf } from '../service/scale.ts';

const members = 1_000_000;
const maxMilliseconds = 25;

/** The groups that are added, with the condition for the number of a member in the order of creation. */
const groups = {
  small: sql`n % 5000 = 0`,
  'one in a hundred': sql`n % 100 = 0`,
  'the 10,000 oldest': sql`n <= 10000`,
  half: sql`n % 2 = 0`,
  'the older half': sql`n <= 500000`,
} as const;
type GroupName = keyof typeof groups;

const sorts = [
  '',
  '&sort=updatedAt',
  '&sort=registeredAt',
  '&sort=lastLoginAt',
  '&sort=email',
  '&sort=displayName',
];

/** Pages of members by their memberships, on a site of a million. */
export const membershipFilters: Row = async (bench) => [
  ...(await measure(bench, 'SQLite', bench.copyOf(await bench.dataset(members)))),
  ...(await measure(bench, 'PostgreSQL', await bench.postgresDataset(members))),
];

async function measure(bench: Bench, store: string, dataset: Dataset): Promise<Line[]> {
  const lists = await addMemberships(dataset);
  const server = await startGatehouse(dataset);
  try {
    const lines: Line[] = [];
    for (const [name, query] of Object.entries(lists)) {
      const [times] = await timeSequentially(
        [{ server, key: dataset.key }],
        pathOf(query),
        roundsOf(bench.quick),
      );
      const p50 = median(times!);
      lines.push({
        work: `${store}, members ${name}`,
        reference: '',
        gatehouse: `p50 ${round(p50)} ms, at most ${round(Math.max(...times!))}`,
        measured: `${round(p50)} ms`,
        goal: `at most ${maxMilliseconds} ms`,
        met: p50 <= maxMilliseconds,
      });
    }
    return lines;
  } finally {
    await server.stop();
  }
}

/**
 * Adds groups and memberships. Of those in the group `half`, a hundred end in 5 days, and half of them in 20. Returns the queries of the
 * lists, by name.
 */
export async function addMemberships({ databaseUrl, siteId }: Dataset): Promise<Record<string, string>> {
  const database = openForSlowStatements(databaseUrl);
  try {
    const ids = {} as Record<GroupName, string>;
    for (const name of Object.keys(groups) as GroupName[]) {
      ids[name] = await changing(
        database,
        siteId,
        async (change) => (await createAccessGroup(change, { name })).id,
      );
      await database.transaction((db) => fillGroup({ db, siteId }, ids[name], name));
    }
    if (database.dialect === 'postgres') await database.run(sql`ANALYZE`);
    return listsOf(ids);
  } finally {
    await database.close();
  }
}

async function fillGroup(view: SiteData<Transaction>, groupId: string, name: GroupName): Promise<void> {
  const { db, siteId } = view;
  await db.run(sql`
    INSERT INTO memberships (site_id, group_id, member_id, source, added_at)
    SELECT g.site_id, g.id, numbered.id, 'api', numbered.created_at
    FROM access_groups g CROSS JOIN (${numberedMembers(siteId)}) AS numbered
    WHERE g.site_id = ${siteId} AND g.id = ${groupId} AND ${groups[name]}`);
  if (name !== 'half') return;
  await setEnds(view, groupId, sql`n % 4 = 0`, inDays(20));
  await setEnds(view, groupId, sql`n % 10000 = 0`, inDays(5));
}

async function setEnds(
  { db, siteId }: SiteData<Transaction>,
  groupId: string,
  chosen: Sql,
  expiresAt: string,
): Promise<void> {
  await db.run(sql`
    UPDATE memberships SET expires_at = ${expiresAt} WHERE site_id = ${siteId} AND group_id = ${groupId}
      AND member_id IN (SELECT id FROM (${numberedMembers(siteId)}) AS numbered WHERE ${chosen})`);
}

function numberedMembers(siteId: string): Sql {
  return sql`SELECT id, created_at, row_number() OVER (ORDER BY id) AS n FROM members WHERE site_id = ${siteId}`;
}

function listsOf(ids: Record<GroupName, string>): Record<string, string> {
  const filters: Record<string, string> = {
    'whose membership ends in 7 days (100)': `&expiresBefore=${inDays(7)}`,
    'whose membership ends in 30 days (250,000)': `&expiresBefore=${inDays(30)}`,
    'of half, ending in 7 days (100)': `&groupId=${ids.half}&expiresBefore=${inDays(7)}`,
    'of half, ending in 30 days (250,000)': `&groupId=${ids.half}&expiresBefore=${inDays(30)}`,
  };
  for (const [name, id] of Object.entries(ids)) filters[`of a group: ${name}`] = `&groupId=${id}`;
  const lists: Record<string, string> = {};
  for (const [name, query] of Object.entries(filters)) {
    for (const sort of sorts) lists[`${name}${sort.replace('&sort=', ', by ')}`] = query + sort;
  }
  const half = `&groupId=${ids.half}`;
  return {
    ...lists,
    'of half, oldest first': `${half}&order=asc`,
    'of half, blocked': `${half}&status=blocked`,
    'of half, blocked, by email': `${half}&status=blocked&sort=email`,
    'of half, rare word': `${half}&q=${words.rare}`,
    'of half, common word': `${half}&q=${words.common}`,
    'of half, common word, by email': `${half}&q=${words.common}&sort=email`,
    'of the older half, rare word, by updatedAt': `&groupId=${ids['the older half']}&q=${words.rare}&sort=updatedAt`,
    'of the 10,000 oldest, common word': `&groupId=${ids['the 10,000 oldest']}&q=${words.common}`,
  };
}

function inDays(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString();
}
