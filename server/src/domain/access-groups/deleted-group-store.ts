import sql from 'sql-template-tag';
import type { Transaction } from '../../storage/database.ts';
import type { SiteData, SiteView } from '../../storage/site-view.ts';
import { expiryOf } from '../../storage/sql/expiring-rows.ts';
import { allValues } from '../../storage/sql/results.ts';
import { limitInOrder } from '../../storage/sql/row-limit.ts';
import { skipLocked } from '../../storage/sql/row-lock.ts';
import { valueList } from '../../storage/sql/value-list.ts';

// The memberships that an access group leaves when it is deleted. No statement finds them by the members, because each
// joins the groups, and none by the group, because its id is not used again.

export async function insertDeletedGroup(
  { db, siteId, now }: SiteView<Transaction>,
  groupId: string,
): Promise<void> {
  await db.run(
    sql`INSERT INTO deleted_groups (site_id, id, deleted_at) VALUES (${siteId}, ${groupId}, ${now})`,
  );
}

/** Groups that were deleted and may still have memberships. */
export const { find: findDeletedGroups } = expiryOf({ table: 'deleted_groups', time: 'deleted_at' });

/** Does nothing while the group has memberships. */
export async function deleteDeletedGroup(
  { db, siteId }: SiteData<Transaction>,
  groupId: string,
): Promise<void> {
  await db.run(sql`
    DELETE FROM deleted_groups WHERE site_id = ${siteId} AND id = ${groupId}
      AND NOT EXISTS (SELECT 1 FROM memberships m WHERE m.site_id = ${siteId} AND m.group_id = ${groupId})`);
}

/**
 * Deletes a few memberships of a group, and returns how many. One that another transaction deletes with its member is
 * skipped, so that neither waits for the other.
 */
export async function deleteSomeMemberships(
  { db, siteId }: SiteData<Transaction>,
  groupId: string,
  limit: number,
): Promise<number> {
  const members = await allValues<string>(
    db,
    sql`SELECT member_id FROM memberships WHERE site_id = ${siteId} AND group_id = ${groupId}
      ORDER BY member_id ${limitInOrder(db.dialect, limit)} ${skipLocked(db)}`,
  );
  if (members.length === 0) return 0;
  return db.run(sql`
    DELETE FROM memberships
    WHERE site_id = ${siteId} AND group_id = ${groupId} AND member_id IN ${valueList(members)}`);
}
