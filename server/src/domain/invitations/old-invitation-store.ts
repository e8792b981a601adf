import sql from 'sql-template-tag';
import { millisecondsPerDay, timestampBefore } from '../../base/clock.ts';
import { idsOf } from '../../base/ids.ts';
import type { Transaction } from '../../storage/database.ts';
import type { SiteData, SiteView } from '../../storage/site-view.ts';
import { type ExpiredRow, expiryOf } from '../../storage/sql/expiring-rows.ts';
import { allValues } from '../../storage/sql/results.ts';
import { forUpdateById } from '../../storage/sql/row-lock.ts';
import { valueList } from '../../storage/sql/value-list.ts';

const retentionMilliseconds = 90 * millisecondsPerDay;

/** A few invitations that ended long ago, over all sites. */
export const { find: findOldInvitations } = expiryOf({
  table: 'invitations',
  time: 'expires_at',
  retentionMilliseconds,
});

/** Locks those of the invitations that still have ended long ago. Returns their ids. */
export function lockOldInvitations(
  { db, siteId, now }: SiteView<Transaction>,
  rows: readonly ExpiredRow[],
): Promise<string[]> {
  return allValues(
    db,
    sql`SELECT id FROM invitations
      WHERE site_id = ${siteId} AND id IN ${valueList(idsOf(rows))}
        AND expires_at <= ${timestampBefore(now, retentionMilliseconds)} ${forUpdateById(db)}`,
  );
}

/** Deletes up to `limit` redemptions of some invitations. */
export async function deleteSomeRedemptions(
  { db, siteId }: SiteData<Transaction>,
  invitationIds: readonly string[],
  limit: number,
): Promise<void> {
  await db.run(sql`
    DELETE FROM invitation_redemptions WHERE site_id = ${siteId} AND id IN (
      SELECT id FROM invitation_redemptions
      WHERE site_id = ${siteId} AND invitation_id IN ${valueList(invitationIds)} LIMIT ${limit})`);
}

/** Those of some invitations that have redemptions. */
export function selectRedeemed(
  { db, siteId }: SiteData,
  invitationIds: readonly string[],
): Promise<string[]> {
  return allValues(
    db,
    sql`SELECT DISTINCT invitation_id FROM invitation_redemptions
      WHERE site_id = ${siteId} AND invitation_id IN ${valueList(invitationIds)}`,
  );
}
