import type { Identity, IdentityEnd } from '@gatehouse/contract';
import { maxIdentities } from '@gatehouse/contract/limits';
import { idsOf, newId } from '../../base/ids.ts';
import type { SiteData } from '../../storage/site-view.ts';
import type { Change } from '../events/change.ts';
import { removeMembershipsByProvider } from '../memberships/memberships.ts';
import {
  identityNotFound,
  type LinkOutcome,
  type NewIdentity,
  type StoredIdentity,
  toIdentity,
} from './identity.ts';
import {
  countIdentities,
  deleteIdentityRows,
  insertIdentity,
  selectIdentities,
  selectMemberCounts,
  selectOwner,
} from './identity-store.ts';

export { markIdentityUsed, selectOwner as findOwner } from './identity-store.ts';

/** The identities of a member, newest first. */
export async function listIdentities(view: SiteData, memberId: string): Promise<Identity[]> {
  return (await selectIdentities(view, [memberId])).map(toIdentity);
}

/** Links an account to a member whose row is locked. */
export async function linkIdentity(change: Change, identity: NewIdentity): Promise<LinkOutcome> {
  const { memberId, providerId, providerName, reason } = identity;
  const owner = await selectOwner(change, identity);
  if (owner) return owner.memberId === memberId ? 'unchanged' : 'taken';
  if ((await countIdentities(change, memberId)) >= maxIdentities) return 'full';
  const identityId = newId();
  if (!(await insertIdentity(change, identityId, identity))) return 'taken';
  const data = { memberId, identityId, providerId, name: providerName, reason };
  change.record({ type: 'member.identity.linked', memberId, data });
  return 'linked';
}

/** Removes an account of a member whose row is locked. @throws {ApiError} `identity_not_found` */
export async function removeIdentity(change: Change, memberId: string, identityId: string): Promise<void> {
  const removed = await removeWhere(change, [memberId], 'removed', ({ id }) => id === identityId);
  if (removed === 0) throw identityNotFound();
}

/** Removes every account of members whose rows are locked. */
export async function removeIdentities(
  change: Change,
  memberIds: readonly string[],
  reason: IdentityEnd,
): Promise<void> {
  await removeWhere(change, memberIds, reason, () => true);
}

/**
 * Removes those that were linked before the member proved the email address, except where a provider has vouched for just
 * this address: somebody else may have linked the others.
 */
export async function removeUnprovenIdentities(
  change: Change,
  { id, email }: { readonly id: string; readonly email: string },
): Promise<void> {
  await removeWhere(change, [id], 'email_verified', ({ provenEmail }) => provenEmail !== email);
}

/** Returns the number of removed ones. With the last account at a provider, the memberships that it has given end. */
async function removeWhere(
  change: Change,
  memberIds: readonly string[],
  reason: IdentityEnd,
  isRemoved: (identity: StoredIdentity) => boolean,
): Promise<number> {
  const identities = await selectIdentities(change, memberIds);
  const removed = identities.filter(isRemoved);
  if (removed.length === 0) return 0;
  await deleteIdentityRows(change, idsOf(removed));
  for (const { id: identityId, memberId, providerId, providerName } of removed) {
    const data = { memberId, identityId, providerId, name: providerName, reason };
    change.record({ type: 'member.identity.removed', memberId, data });
  }
  const left = new Set(identities.filter((each) => !removed.includes(each)).map(ownerOf));
  await removeMembershipsByProvider(
    change,
    removed.filter((each) => !left.has(ownerOf(each))),
  );
  return removed.length;
}

/** A member at a provider, where each member can have several accounts. */
function ownerOf({ memberId, providerId }: StoredIdentity): string {
  return `${memberId} ${providerId}`;
}

/** How many members have an account at each provider, by its id. */
export async function countMembersOfProviders(view: SiteData): Promise<ReadonlyMap<string, number>> {
  const counts = await selectMemberCounts(view);
  return new Map(counts.map(({ id, count }) => [id, Number(count)]));
}
