import { acquireSiteLock } from '../../storage/sql/row-lock.ts';
import type { Change } from '../events/change.ts';
import { markRevokedOf, updateMaker } from './invitation-ends-store.ts';

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

/** The name of the list of invitations, for its cursors. */
export const invitationList = 'invitations';

/** The name of the list of those who have joined with an invitation. */
export function redemptionList(invitationId: string): string {
  return `redemptions of ${invitationId}`;
}
