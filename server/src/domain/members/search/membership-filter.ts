import sql, { empty, join, type Sql } from 'sql-template-tag';
import type { Timestamp } from '../../../base/clock.ts';
import type { SiteView } from '../../../storage/site-view.ts';

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
 * the memberships of each examined member, however many it expects. With a group, the group must exist.
 */
export function hasMembership(view: SiteView, filter: MembershipFilter): Sql {
  const { siteId } = view;
  // The memberships of a deleted group are deleted later.
  const groupExists =
    filter.groupId === undefined
      ? sql`AND EXISTS (SELECT 1 FROM access_groups g WHERE g.site_id = ${siteId} AND g.id = ms.group_id)`
      : empty;
  return sql`(
    SELECT ms.member_id FROM memberships ms
    WHERE ms.site_id = ${siteId} AND ms.member_id = id AND ${isWanted(view, filter)} ${groupExists} LIMIT 1
  ) IS NOT NULL`;
}

/** A membership that has expired is not current, even before it is deleted. */
function isWanted({ now }: SiteView, { groupId, expiresBefore }: MembershipFilter): Sql {
  return join(
    [
      ...(groupId === undefined ? [] : [sql`ms.group_id = ${groupId}`]),
      expiresBefore === undefined
        ? sql`(ms.expires_at IS NULL OR ms.expires_at > ${now})`
        : sql`ms.expires_at > ${now} AND ms.expires_at < ${expiresBefore}`,
    ],
    ' AND ',
  );
}
