import sql, { empty, type Sql } from 'sql-template-tag';
import type { Timestamp } from '../../../base/clock.ts';
import type { SiteView } from '../../../storage/site-view.ts';
import { limitInOrder } from '../../../storage/sql/row-limit.ts';

/** A current membership that a member must have: in this group, expiring before this time, or both. */
export interface MembershipFilter {
  readonly groupId?: string;
  readonly expiresBefore?: Timestamp;
}

export function hasMembershipFilter({ groupId, expiresBefore }: MembershipFilter): boolean {
  return groupId !== undefined || expiresBefore !== undefined;
}

/**
 * A condition for members: they have the membership. A subquery of this form is never joined, so that PostgreSQL looks up
 * the memberships of each examined member, however many it expects. The group of the filter must exist.
 */
export function hasMembership({ siteId, now }: SiteView, { groupId, expiresBefore }: MembershipFilter): Sql {
  // A membership that has expired, or is in a deleted group, is deleted later.
  const isInGroup =
    groupId === undefined
      ? sql`EXISTS (SELECT 1 FROM access_groups g WHERE g.site_id = ${siteId} AND g.id = ms.group_id)`
      : sql`ms.group_id = ${groupId}`;
  const isCurrent =
    expiresBefore === undefined
      ? sql`(ms.expires_at IS NULL OR ms.expires_at > ${now})`
      : sql`ms.expires_at > ${now} AND ms.expires_at < ${expiresBefore}`;
  return sql`(
    SELECT ms.member_id FROM memberships ms
    WHERE ms.site_id = ${siteId} AND ms.member_id = id AND ${isInGroup} AND ${isCurrent} LIMIT 1
  ) IS NOT NULL`;
}

/**
 * Selects the `member_id` of at most so many memberships: if there are not more, of all that match the filter. They are
 * read group by group, because an index has those of a group, and another one the ends in it.
 */
export function selectMemberships(view: SiteView, filter: MembershipFilter, maximum: number): Sql {
  const { db, siteId, now } = view;
  const { groupId, expiresBefore } = filter;
  const groups = sql`g.site_id = ${siteId} ${groupId === undefined ? empty : sql`AND g.id = ${groupId}`}`;
  if (db.dialect === 'postgres') {
    return sql`(
      SELECT ms.member_id FROM access_groups g
      CROSS JOIN LATERAL ${selectOfGroupOnPostgres(view, filter, maximum)} AS ms
      WHERE ${groups} LIMIT ${maximum})`;
  }
  const inTime = sql`AND ms.expires_at > ${now} AND ms.expires_at < ${expiresBefore ?? null}`;
  return sql`(
    SELECT ms.member_id FROM access_groups g CROSS JOIN memberships ms
    WHERE ${groups} AND ms.site_id = ${siteId} AND ms.group_id = g.id
      ${expiresBefore === undefined ? empty : inTime}
    LIMIT ${maximum})`;
}

/**
 * The memberships of the group `g` that may match. They have an order that only the index of these members or ends has, and
 * a row comparison that only this index of ends can use: another one would pass those of all groups and sites.
 */
function selectOfGroupOnPostgres(
  { db, siteId, now }: SiteView,
  { expiresBefore }: MembershipFilter,
  maximum: number,
): Sql {
  const range =
    expiresBefore === undefined
      ? sql`ms.group_id >= g.id AND ms.group_id <= g.id ORDER BY ms.group_id, ms.member_id`
      : sql`
          ms.group_id = g.id AND ms.expires_at IS NOT NULL AND (ms.group_id, ms.expires_at) > (g.id, ${now})
          AND (ms.group_id, ms.expires_at) < (g.id, ${expiresBefore}) ORDER BY ms.expires_at`;
  return sql`(
    SELECT ms.member_id FROM memberships ms
    WHERE ms.site_id = ${siteId} AND ${range} ${limitInOrder(db.dialect, maximum)})`;
}
