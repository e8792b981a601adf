import sql from 'sql-template-tag';
import type { Timestamp } from '../../base/clock.ts';
import type { Queries, Transaction } from '../../storage/database.ts';
import type { SiteData } from '../../storage/site-view.ts';
import { countEach, type TimeSpan } from '../../storage/sql/counts.ts';
import type { Activity, MemberCounts } from './site-counts.ts';

/** Adds to the activity of a site, whose feed is locked. */
export async function addActivity(
  { db, siteId }: SiteData<Transaction>,
  activity: readonly Activity[],
): Promise<void> {
  if (activity.length === 0) return;
  await db.insert(
    'activity_counts',
    ['site_id', 'starts_at', 'created', 'logins'],
    activity.map(({ startsAt, created, logins }) => [siteId, startsAt, created, logins]),
    `ON CONFLICT (site_id, starts_at) DO UPDATE SET
       created = activity_counts.created + excluded.created, logins = activity_counts.logins + excluded.logins`,
  );
}

/** The numbers of members. */
export async function selectMemberCounts({ db, siteId }: SiteData): Promise<MemberCounts> {
  const counts = await db.get<MemberCounts>(
    sql`SELECT members, blocked, paid, verified FROM event_heads WHERE site_id = ${siteId}`,
  );
  return counts!;
}

/** How many members of each time span there are, by when they were created. */
export function sumCreated({ db, siteId }: SiteData, spans: readonly TimeSpan[]): Promise<number[]> {
  return countEach(
    db,
    spans.map(
      ({ start, end }) => sql`
        SELECT COALESCE(sum(created), 0) FROM activity_counts
        WHERE site_id = ${siteId} AND starts_at >= ${start} AND starts_at < ${end}`,
    ),
  );
}

/** The logins of each time span. */
export function sumLogins({ db, siteId }: SiteData, spans: readonly TimeSpan[]): Promise<number[]> {
  return countEach(
    db,
    spans.map(
      ({ start, end }) => sql`
        SELECT COALESCE(sum(logins), 0) FROM activity_counts
        WHERE site_id = ${siteId} AND starts_at >= ${start} AND starts_at < ${end}`,
    ),
  );
}

/** A few counts of activity before a time, over all sites. */
export function selectActivityBefore(
  db: Queries,
  time: Timestamp,
  limit: number,
): Promise<{ siteId: string; startsAt: Timestamp }[]> {
  return db.all(sql`
    SELECT site_id AS "siteId", starts_at AS "startsAt" FROM activity_counts WHERE starts_at <= ${time} ORDER BY starts_at LIMIT ${limit}`);
}

export async function deleteActivityBefore(
  { db, siteId }: SiteData<Transaction>,
  time: Timestamp,
): Promise<void> {
  await db.run(sql`DELETE FROM activity_counts WHERE site_id = ${siteId} AND starts_at <= ${time}`);
}
