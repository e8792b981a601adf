import type { Overview } from '@gatehouse/contract';
import sql from 'sql-template-tag';
import type { Timestamp } from '../base/clock.ts';
import { firstIdAt } from '../base/ids.ts';
import { type Queries, toBoolean } from '../storage/database.ts';

/** Counts all members of a site, in one walk along the index of their states. */
export async function countMembers(db: Queries, siteId: string): Promise<Overview['members']> {
  const rows = await db.all<{
    status: string;
    paid: boolean | number | null;
    verified: boolean | number | null;
    count: number;
  }>(sql`
    SELECT status, paid, verified, count(*) AS count FROM members WHERE site_id = ${siteId}
    GROUP BY status, paid, verified`);
  const counts = { total: 0, active: 0, blocked: 0, paid: 0, verified: 0 };
  for (const { status, paid, verified, count } of rows) {
    counts.total += count;
    counts[status === 'blocked' ? 'blocked' : 'active'] += count;
    if (paid !== null && toBoolean(paid)) counts.paid += count;
    if (verified !== null && toBoolean(verified)) counts.verified += count;
  }
  return counts;
}

/** Counts the members who were created from a time on, and before another. Their ids tell. */
export async function countCreatedMembers(
  db: Queries,
  siteId: string,
  from: Timestamp,
  before: Timestamp,
): Promise<number> {
  const row = await db.get<{ count: number }>(sql`
    SELECT count(*) AS count FROM members
    WHERE site_id = ${siteId} AND id >= ${firstIdAt(from)} AND id < ${firstIdAt(before)}`);
  return row!.count;
}

export async function hasLoggedInMember(db: Queries, siteId: string): Promise<boolean> {
  const row = await db.get(sql`
    SELECT 1 AS one FROM members
    WHERE site_id = ${siteId} AND last_login_at > ${'1970-01-01T00:00:00.000Z'} LIMIT 1`);
  return row !== undefined;
}
