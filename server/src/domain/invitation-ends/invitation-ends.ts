import { idsOf } from '../../base/ids.ts';
import { acquireSiteLock } from '../../storage/sql/row-lock.ts';
import { addTombstones } from '../cursors/cursor-tombstones.ts';
import type { Change } from '../events/change.ts';
import {
  deleteInvitationRows,
  deleteRedemptionsOf,
  lockInvitationsTo,
  markRevokedOf,
  updateMaker,
} from './invitation-ends-store.ts';

/**
 * Waits until nobody else makes or changes invitations of the site, and then lets nobody until the transaction ends: so no
 * operator makes one while the role ends. API keys are locked for that anyway.
 */
export function lockInviting(change: Change): Promise<void> {
  return acquireSiteLock(change, 'invitations');
}

/** Ends the open invitations of an API key or operator that no longer has the rights for them. */
export async function endInvitationsOf(change: Change, makerId: string): Promise<void> {
  for (const invitationId of await markRevokedOf(change, makerId)) {
    change.record({ type: 'invitation.revoked', data: { invitationId, reason: 'maker_removed' } });
  }
}

/** The invitations of an API key end with the one that replaces it. */
export function handOverInvitations(change: Change, keyId: string, newKeyId: string): Promise<void> {
  return updateMaker(change, keyId, newKeyId);
}

/** Deletes the invitations to the addresses of deleted members, and that these members have joined with others. */
export async function eraseInvitationsOf(
  change: Change,
  members: readonly { readonly id: string; readonly email: string }[],
): Promise<void> {
  const redemptions = await deleteRedemptionsOf(change, idsOf(members));
  await addTombstones(
    change,
    redemptions.map(({ id, invitationId }) => ({ list: redemptionList(invitationId), id })),
  );
  const emails = members.map(({ email }) => email);
  // A member who has joined may have another address since.
  const joinedWith = redemptions.map(({ invitationId }) => invitationId);
  await deleteInvitations(change, await lockInvitationsTo(change, emails, joinedWith));
}

/** Deletes invitations that are locked. Those who have joined with them stay members. */
export async function deleteInvitations(change: Change, invitationIds: readonly string[]): Promise<void> {
  if (invitationIds.length === 0) return;
  await deleteInvitationRows(change, invitationIds);
  await addTombstones(
    change,
    invitationIds.map((id) => ({ list: invitationList, id })),
  );
}

/** The name of the list of invitations, for its cursors. */
export const invitationList = 'invitations';

/** The name of the list of those who have joined with an invitation. */
export function redemptionList(invitationId: string): string {
  return `redemptions of ${invitationId}`;
}
