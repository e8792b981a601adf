import type { ExpiredRow } from '../../storage/sql/expiring-rows.ts';
import type { Change } from '../events/change.ts';
import { deleteInvitations } from '../invitation-ends/invitation-ends.ts';
import { deleteSomeRedemptions, lockOldInvitations, selectRedeemed } from './old-invitation-store.ts';

export { findOldInvitations } from './old-invitation-store.ts';

/** Very many people may have joined with one invitation, and other writers wait while they are deleted. */
const redemptionsAtOnce = 1_000;

/** Deletes invitations that ended long ago, once a few steps have deleted who joined with them. */
export async function purgeInvitations(change: Change, rows: readonly ExpiredRow[]): Promise<void> {
  const old = await lockOldInvitations(change, rows);
  await deleteSomeRedemptions(change, old, redemptionsAtOnce);
  const redeemed = new Set(await selectRedeemed(change, old));
  await deleteInvitations(
    change,
    old.filter((id) => !redeemed.has(id)),
  );
}
