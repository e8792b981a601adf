import type { Member } from '@gatehouse/contract';
import { findAccessGroupTypes, lockAccessGroups } from '../access-groups/access-groups.ts';
import type { Change } from '../events/change.ts';
import type { StoredLoginProvider } from '../login-providers/login-provider.ts';
import type { ProviderAccount } from '../login-providers/provider-account.ts';
import { addMemberships, findGroupsOfProvider, removeMemberships } from '../memberships/memberships.ts';

/**
 * Lets the memberships of a member, whose row is locked, follow the groups of the account: in custom groups that the
 * provider maps, and only those that have begun in this way. Groups that the provider did not name change nothing.
 */
export async function followGroups(
  change: Change,
  { id: memberId }: Pick<Member, 'id'>,
  { id: providerId, groupMap }: StoredLoginProvider,
  { groups }: ProviderAccount,
): Promise<void> {
  if (groups === null) return;
  const named = groupMap.filter(({ value }) => groups.includes(value));
  const wanted = await customGroups(change, new Set(named.map(({ accessGroupId }) => accessGroupId)));
  const present = await findGroupsOfProvider(change, providerId, memberId);
  const ended = present.filter((id) => !wanted.includes(id));
  const missing = wanted.filter((id) => !present.includes(id));
  if (ended.length + missing.length === 0) return;
  await lockAccessGroups(change, [...ended, ...missing]);
  for (const groupId of ended) await removeMemberships(change, groupId, [memberId]);
  // Those that have another source stay as they are.
  await addMemberships(change, missing, [memberId], null, 'provider', providerId);
}

/** Those of the groups that exist and follow no source, in the order in which groups are locked. */
async function customGroups(change: Change, groupIds: ReadonlySet<string>): Promise<string[]> {
  const types = await findAccessGroupTypes(change, [...groupIds]);
  const custom = types.filter(({ type }) => type === 'custom');
  return custom.map(({ id }) => id).sort();
}
