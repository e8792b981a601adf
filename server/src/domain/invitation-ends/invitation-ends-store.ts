import sql from 'sql-template-tag';
import type { Transaction } from '../../storage/database.ts';
import type { SiteData, SiteView } from '../../storage/site-view.ts';
import { allValues } from '../../storage/sql/results.ts';
import { forUpdateById } from '../../storage/sql/row-lock.ts';
import { valueList } from '../../storage/sql/value-list.ts';

/** Ends the open invitations of an API key or operator. Returns their ids. */
export async function markRevokedOf(
  { db, siteId, now }: SiteView<Transaction>,
  makerId: string,
): Promise<string[]> {
  const ids = await allValues<string>(
    db,
    sql`UPDATE invitations SET revoked_at = ${now}, updated_at = ${now}
      WHERE site_id = ${siteId} AND maker_id = ${makerId} AND revoked_at IS NULL AND expires_at > ${now}
        AND (max_uses IS NULL OR used_count < max_uses)
      RETURNING id`,
  );
  return ids.sort();
}

/** Gives every invitation of an API key to another one. */
export async function updateMaker(
  { db, siteId }: SiteData<Transaction>,
  makerId: string,
  newMakerId: string,
): Promise<void> {
  await db.run(sql`
    UPDATE invitations SET maker_id = ${newMakerId} WHERE site_id = ${siteId} AND maker_id = ${makerId}`);
}

/** Identifies that a member has joined with an invitation. */
export interface RedemptionKey {
  readonly id: string;
  readonly invitationId: string;
}

/** Deletes that members have joined with invitations. */
export function deleteRedemptionsOf(
  { db, siteId }: SiteData<Transaction>,
  memberIds: readonly string[],
): Promise<RedemptionKey[]> {
  return db.all(sql`
    DELETE FROM invitation_redemptions WHERE site_id = ${siteId} AND member_id IN ${valueList(memberIds)}
    RETURNING id, invitation_id AS "invitationId"`);
}

/** Locks the invitations to some addresses, and those of a list that are to any address. Returns their ids. */
export function lockInvitationsTo(
  { db, siteId }: SiteData<Transaction>,
  emails: readonly string[],
  invitationIds: readonly string[],
): Promise<string[]> {
  return allValues(
    db,
    sql`SELECT id FROM invitations
      WHERE site_id = ${siteId} AND email IS NOT NULL
        AND (email IN ${valueList(emails)} OR id IN ${valueList(invitationIds)}) ${forUpdateById(db)}`,
  );
}

/** Deletes invitations with their codes, and that members have joined with them. */
export async function deleteInvitationRows(
  { db, siteId }: SiteData<Transaction>,
  invitationIds: readonly string[],
): Promise<void> {
  const ids = valueList(invitationIds);
  await db.run(sql`DELETE FROM invitation_redemptions WHERE site_id = ${siteId} AND invitation_id IN ${ids}`);
  await db.run(sql`DELETE FROM invitation_codes WHERE site_id = ${siteId} AND invitation_id IN ${ids}`);
  await db.run(sql`DELETE FROM invitations WHERE site_id = ${siteId} AND id IN ${ids}`);
}
