import type { Overview } from '@gatehouse/contract';
import sql from 'sql-template-tag';
import { firstIdAt } from '../../base/ids.ts';
import { countEach, type TimeSpan } from '../../storage/counts.ts';
import { type Queries, toBoolean } from '../../storage/database.ts';

/** Counts all members of a site, in one scan of the index of their states. */
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

/** Counts the members created in each time span, by their ids. */
export function countCreatedMembers(
  db: Queries,
  siteId: string,
  spans: readonly TimeSpan[],
): Promise<number[]> {
  return countEach(
    db,
    spans.map(
      ({ start, end }) => sql`
        SELECT count(*) FROM members
        WHERE site_id = ${siteId} AND id >= ${firstIdAt(start)} AND id < ${firstIdAt(end)}`,
    ),
  );
}

export async function hasLoggedInMember(db: Queries, siteId: string): Promise<boolean> {
  const row = await db.get(sql`
    SELECT 1 AS one FROM members
    WHERE site_id = ${siteId} AND last_login_at > ${'1970-01-01T00:00:00.000Z'} LIMIT 1`);
  return row !== undefined;
}
