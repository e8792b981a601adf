import sql, { type Sql } from 'sql-template-tag';
import type { Timestamp } from '../../base/clock.ts';
import { firstIdAt } from '../../base/ids.ts';
import type { Dialect } from '../../storage/database.ts';
import type { SiteData } from '../../storage/site-view.ts';
import { asSearch } from '../../storage/sql/statement.ts';
import { type Activity, type MemberCounts, noMembers } from '../events/site-counts.ts';

/** The stored numbers of a site, and what its rows say. */
export interface ComparedCounts {
  readonly stored: MemberCounts;
  readonly present: MemberCounts;
  /** What is missing from the stored activity. */
  readonly missing: readonly Activity[];
}

interface Row {
  readonly kind: 'stored' | 'present' | 'activity' | 'oldest';
  readonly starts_at: Timestamp | null;
  readonly first: number;
  readonly second: number;
  readonly third: number;
  readonly fourth: number;
}

/** Counts every member of a site, in one statement, so that it sees a concurrent change completely or not at all. */
export async function compareCounts({ db, siteId }: SiteData, since: Timestamp): Promise<ComparedCounts> {
  const rows = await db.all<Row>(asSearch(everyCount(db.dialect, siteId, since)));
  const countsOf = (kind: Row['kind']): MemberCounts => {
    const { first, second, third, fourth } = rows.find((row) => row.kind === kind)!;
    return { members: first, blocked: second, paid: third, verified: fourth };
  };
  return {
    stored: countsOf('stored'),
    present: countsOf('present'),
    missing: missingActivity(rows),
  };
}

/**
 * Before the oldest event, logins are stored whose events have been purged. Before the oldest stored activity, a version
 * that stored it for a shorter time has purged it.
 */
function missingActivity(rows: readonly Row[]): Activity[] {
  const oldestEvent = rows.find(({ kind }) => kind === 'stored')!.starts_at;
  const oldestStored = rows.find(({ kind }) => kind === 'oldest')!.starts_at ?? '';
  return rows
    .filter(({ kind, starts_at }) => kind === 'activity' && starts_at! >= oldestStored)
    .map(({ starts_at, first: created, second }) => {
      const startsAt = starts_at!;
      const isWhole = oldestEvent !== null && startsAt >= oldestEvent;
      const changes = { ...noMembers, members: created };
      return { startsAt, created, logins: isWhole ? second : Math.max(second, 0), changes };
    })
    .filter(({ created, logins }) => created !== 0 || logins !== 0);
}

function everyCount(dialect: Dialect, siteId: string, since: Timestamp): Sql {
  return sql`
    SELECT 'activity' AS kind, starts_at, sum(created) AS first, sum(logins) AS second, 0 AS third, 0 AS fourth
    FROM (
      SELECT starts_at, -created AS created, -logins AS logins FROM activity_counts
      WHERE site_id = ${siteId} AND starts_at >= ${since}
      UNION ALL
      SELECT ${quarterOf(dialect, sql`created_at`)} AS starts_at, 1 AS created, 0 AS logins FROM members
      WHERE site_id = ${siteId} AND id >= ${firstIdAt(since)}
      UNION ALL
      SELECT ${quarterOf(dialect, sql`occurred_at`)} AS starts_at, 0 AS created, 1 AS logins FROM events
      WHERE site_id = ${siteId} AND type = 'member.login' AND occurred_at >= ${since}
    ) activity GROUP BY starts_at
    UNION ALL
    SELECT 'present', NULL, count(*), count(*) FILTER (WHERE status = 'blocked'), count(*) FILTER (WHERE paid),
           count(*) FILTER (WHERE verified)
    FROM members WHERE site_id = ${siteId}
    UNION ALL
    SELECT 'oldest', min(starts_at), 0, 0, 0, 0 FROM activity_counts WHERE site_id = ${siteId}
    UNION ALL
    SELECT 'stored', (SELECT occurred_at FROM events WHERE site_id = ${siteId} ORDER BY position LIMIT 1),
           members, blocked, paid, verified
    FROM event_heads WHERE site_id = ${siteId}`;
}

/** The start of the quarter of an hour of a stored time. */
function quarterOf(dialect: Dialect, time: Sql): Sql {
  if (dialect === 'postgres')
    return sql`date_bin('15 minutes', ${time}, '2000-01-01T00:00:00Z'::timestamptz)`;
  const minutes = sql`CAST(substr(${time}, 15, 2) AS INTEGER)`;
  return sql`substr(${time}, 1, 14) || printf('%02d', ${minutes} - ${minutes} % 15) || ':00.000Z'`;
}
