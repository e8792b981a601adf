import sql, { empty, join, raw } from 'sql-template-tag';
import type { Timestamp } from '../../base/clock.ts';
import type { TimeSpan } from '../../base/days.ts';
import type { Queries, Transaction } from '../../storage/database.ts';
import type { SiteData } from '../../storage/site-view.ts';
import { type Activity, type MemberCounts, noMembers } from './site-counts.ts';

/** Adds to the activity of a site, whose feed is locked. */
export async function addActivity(
  { db, siteId }: SiteData<Transaction>,
  activity: readonly Activity[],
): Promise<void> {
  if (activity.length === 0) return;
  await db.insert(
    'activity_counts',
    ['site_id', 'starts_at', 'created', 'logins', 'members', 'blocked', 'paid', 'verified'],
    activity.map(({ startsAt, created, logins, changes: { members, blocked, paid, verified } }) => [
      siteId,
      startsAt,
      created,
      logins,
      members,
      blocked,
      paid,
      verified,
    ]),
    // A row of the version before has no number of members: it changed by those who were created.
    `ON CONFLICT (site_id, starts_at) DO UPDATE SET
       created = activity_counts.created + excluded.created, logins = activity_counts.logins + excluded.logins,
       members = COALESCE(activity_counts.members, activity_counts.created) + excluded.members,
       blocked = activity_counts.blocked + excluded.blocked, paid = activity_counts.paid + excluded.paid,
       verified = activity_counts.verified + excluded.verified`,
  );
}

/** The numbers of members. */
export async function selectMemberCounts({ db, siteId }: SiteData): Promise<MemberCounts> {
  const counts = await db.get<MemberCounts>(
    sql`SELECT members, blocked, paid, verified FROM event_heads WHERE site_id = ${siteId}`,
  );
  return counts!;
}

/** What happened in a time span. */
export interface ActivityOfSpan {
  /** The members who were created in it and still exist. */
  readonly created: number;
  readonly logins: number;
  /** By how much the numbers of members changed in it. */
  readonly changes: MemberCounts;
}

interface SumRow extends MemberCounts {
  readonly span: number;
  readonly created: number;
  readonly logins: number;
}

/** What happened in each time span. */
export async function sumActivity(
  { db, siteId }: SiteData,
  spans: readonly TimeSpan[],
): Promise<ActivityOfSpan[]> {
  const time = db.dialect === 'postgres' ? sql`::timestamptz` : empty;
  const rows = await db.all<SumRow>(sql`
    WITH spans (span, from_time, to_time) AS (
      VALUES ${join(spans.map(({ start, end }, index) => sql`(${raw(`${index}`)}, ${start}${time}, ${end}${time})`))})
    SELECT span, sum(created) AS created, sum(logins) AS logins, sum(COALESCE(members, created)) AS members,
           sum(blocked) AS blocked, sum(paid) AS paid, sum(verified) AS verified
    FROM spans JOIN activity_counts a ON a.starts_at >= from_time AND a.starts_at < to_time
    WHERE a.site_id = ${siteId} GROUP BY span`);
  const bySpan = new Map(rows.map((row) => [row.span, row]));
  return spans.map((_, index) => {
    const {
      span: __,
      created,
      logins,
      ...changes
    } = bySpan.get(index) ?? { span: 0, created: 0, logins: 0, ...noMembers };
    return { created, logins, changes };
  });
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
