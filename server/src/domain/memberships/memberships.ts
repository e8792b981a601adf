import type { Membership } from '@gatehouse/contract';
import { ApiError, invalidRequest, requireTimestamp } from '../../base/api-error.ts';
import type { Timestamp } from '../../base/clock.ts';
import { idsOf } from '../../base/ids.ts';
import { type Page, type PageQuery, toPageBy } from '../../base/page.ts';
import type { SiteView } from '../../storage/site-view.ts';
import { inBatches } from '../../storage/sql/batches.ts';
import { groupNotFound } from '../access-groups/access-group.ts';
import {
  changeMembershipCounts,
  findAccessGroupTypes,
  hasAccessGroup,
  lockAccessGroups,
} from '../access-groups/access-groups.ts';
import { addTombstones, findTombstone } from '../cursors/cursor-tombstones.ts';
import type { Change } from '../events/change.ts';
import { sourceOf } from './membership.ts';
import {
  deleteExpiredMemberships,
  deleteExpiredMembershipsOf,
  deleteMemberships,
  deleteMembershipsOf,
  expireMembershipsOfProvider,
  type GroupOfMember,
  hasMembershipRow,
  insertMemberships,
  type MembershipKey,
  type ProviderMember,
  selectGroupIdsOfMembers,
  selectGroupIdsOfProvider,
  selectGroupsOfMembers,
  selectMembership,
  selectMemberships,
  selectMembershipsByProvider,
  selectMembershipsOf,
  updateMembershipEnds,
} from './membership-store.ts';

export { countEnds as countMembershipEnds } from './membership-store.ts';

/** Parses the end of a membership. @throws {ApiError} `invalid_request` */
export function checkExpiry(pointer: string, expiresAt: string | null, now: Timestamp): Timestamp | null {
  if (expiresAt === null) return null;
  const expiry = requireTimestamp(pointer, expiresAt);
  if (expiry <= now) throw invalidRequest(pointer, 'expiresAt must be in the future.');
  return expiry;
}

/**
 * Adds members to groups. Members and groups must be locked. Returns the new memberships, without members who were
 * already in the group.
 * @param providerId the login provider whose groups they follow; null for others
 * @throws {ApiError} `access_group_not_found` when a group has been deleted
 */
export async function addMemberships(
  change: Change,
  groupIds: readonly string[],
  memberIds: readonly string[],
  expiresAt: Timestamp | null = null,
  source = sourceOf(change.context.actor),
  providerId: string | null = null,
): Promise<MembershipKey[]> {
  if (groupIds.length === 0 || memberIds.length === 0) return [];
  const { now } = change;
  await removeExpired(change, await deleteExpiredMembershipsOf(change, groupIds, memberIds));
  const rows = groupIds.flatMap((groupId) =>
    memberIds.map((memberId): Membership => ({ groupId, memberId, source, addedAt: now, expiresAt })),
  );
  const added = await insertMemberships(change, rows, providerId);
  // Detects a group that was deleted after it was checked.
  if (!(await changeMembershipCounts(change, countByGroup(added, 1)))) throw groupNotFound();
  const isNew = new Set(added.map(nameOf));
  for (const { groupId, memberId } of rows.filter((each) => isNew.has(nameOf(each)))) {
    const data = { groupId, memberId, expiresAt };
    change.record({ type: 'access-group.member.added', groupId, memberId, data });
  }
  return added;
}

/**
 * Adds members to groups at least until a time: memberships that end later, or not at all, stay as they are. Members and
 * groups must be locked.
 * @throws {ApiError} `access_group_not_found` when a group has been deleted
 */
export async function extendMemberships(
  change: Change,
  groupIds: readonly string[],
  memberIds: readonly string[],
  expiresAt: Timestamp | null,
): Promise<void> {
  const added = new Set((await addMemberships(change, groupIds, memberIds, expiresAt)).map(nameOf));
  for (const groupId of groupIds) {
    const others = memberIds.filter((memberId) => !added.has(nameOf({ groupId, memberId })));
    const current = await selectMembershipsOf(change, groupId, others);
    const earlier = current.filter(
      ({ expiresAt: end }) => end !== null && (expiresAt === null || end < expiresAt),
    );
    const earlierIds = earlier.map(({ memberId }) => memberId);
    if (earlierIds.length > 0) await setMembershipEnds(change, groupId, earlierIds, expiresAt);
  }
}

/**
 * Sets the end of memberships in a group. Members and group must be locked. Returns the previous ends of the changed
 * memberships, by member.
 */
export async function setMembershipEnds(
  change: Change,
  groupId: string,
  memberIds: readonly string[],
  expiresAt: Timestamp | null,
): Promise<Map<string, Timestamp | null>> {
  const rows = await selectMembershipsOf(change, groupId, memberIds);
  const changed = rows.filter((each) => each.expiresAt !== expiresAt);
  const ids = changed.map(({ memberId }) => memberId);
  await updateMembershipEnds(change, groupId, ids, expiresAt);
  for (const { memberId, expiresAt: from } of changed) {
    const changes = [{ field: 'expiresAt', from, to: expiresAt }];
    change.record({
      type: 'access-group.member.updated',
      groupId,
      memberId,
      data: { groupId, memberId, changes },
    });
  }
  return new Map(changed.map((each) => [each.memberId, each.expiresAt]));
}

/** Removes members from a group. Members and group must be locked. Returns the members who were in it. */
export async function removeMemberships(
  change: Change,
  groupId: string,
  memberIds: readonly string[],
): Promise<string[]> {
  const removed = await deleteMemberships(change, groupId, memberIds);
  await leaveGroups(change, removed);
  const ids = removed.map(({ memberId }) => memberId).sort();
  for (const memberId of ids) {
    change.record({ type: 'access-group.member.removed', groupId, memberId, data: { groupId, memberId } });
  }
  return ids;
}

/** Removes deleted members from all groups, without separate events. Members and groups must be locked. */
export async function removeEveryMembershipOf(change: Change, memberIds: readonly string[]): Promise<void> {
  await leaveGroups(change, await deleteMembershipsOf(change, memberIds));
}

/**
 * Ends the memberships that follow a login provider, in some groups or in all. They are removed a few at a time afterwards,
 * as all that have expired.
 */
export async function endMembershipsOfProvider(
  change: Change,
  providerId: string,
  someGroupIds?: readonly string[],
): Promise<void> {
  const groupIds = someGroupIds ?? (await selectGroupIdsOfProvider(change, providerId));
  if (groupIds.length === 0) return;
  await lockAccessGroups(change, groupIds);
  await expireMembershipsOfProvider(change, providerId, groupIds);
}

/** Removes members, whose rows are locked, from the groups in which they are because of a login provider. */
export async function removeMembershipsByProvider(
  change: Change,
  members: readonly ProviderMember[],
): Promise<void> {
  const memberships = await selectMembershipsByProvider(change, members);
  const byGroup = Map.groupBy(memberships, ({ groupId }) => groupId);
  await lockAccessGroups(change, [...byGroup.keys()]);
  for (const [groupId, inGroup] of byGroup) {
    const memberIds = inGroup.map(({ memberId }) => memberId);
    await removeMemberships(change, groupId, memberIds);
  }
}

/** Locks every group of some members. The members must be locked, so that they cannot be added to others. */
export async function lockGroupsOfMembers(change: Change, memberIds: readonly string[]): Promise<void> {
  if (memberIds.length === 0) return;
  await lockAccessGroups(change, await selectGroupIdsOfMembers(change, memberIds));
}

export { selectSessionLimitOfGroups as findSessionLimitOfGroups } from './membership-store.ts';

/** The groups of members, ordered by name, with the ends of the memberships. */
export function findGroupsOfMembers(view: SiteView, memberIds: readonly string[]): Promise<GroupOfMember[]> {
  return inBatches(memberIds, (batch) => selectGroupsOfMembers(view, batch));
}

/** @throws {ApiError} `membership_not_found` */
export async function findMembership(view: SiteView, groupId: string, memberId: string): Promise<Membership> {
  const membership = await selectMembership(view, groupId, memberId);
  if (!membership)
    throw new ApiError('membership_not_found', 'This member is not in this group. Check both IDs.');
  return membership;
}

/** Lists the memberships of a group, in the order of its members. @throws {ApiError} `access_group_not_found`, `invalid_cursor` */
export async function listMemberships(
  view: SiteView,
  groupId: string,
  query: PageQuery,
): Promise<Page<Membership>> {
  await requireMembershipAt(view, groupId, query);
  const { after, limit } = query;
  const memberships = await selectMemberships(view, groupId, after, limit + 1);
  return toPageBy(
    memberships,
    limit,
    (each) => each,
    ({ memberId }) => memberId,
  );
}

/** Checks the position in a list of the members of a group. @throws {ApiError} `access_group_not_found`, `invalid_cursor` */
export async function requireMembershipAt(
  view: SiteView,
  groupId: string,
  { after }: PageQuery,
): Promise<void> {
  if (!(await hasAccessGroup(view, groupId))) throw groupNotFound();
  if (after !== undefined && !(await hasMembershipRow(view, groupId, after))) {
    await findTombstone(view, groupId, after);
  }
}

/**
 * Removes expired memberships, unless their ends have been changed since they were found. Those of deleted groups are
 * only waiting to be deleted, and cause no event.
 */
export async function removeExpiredMemberships(
  change: Change,
  keys: readonly MembershipKey[],
): Promise<void> {
  // Group before membership, as everywhere, to prevent deadlocks.
  const groupIds = [...new Set(keys.map(({ groupId }) => groupId))];
  await lockAccessGroups(change, groupIds);
  const existing = new Set(idsOf(await findAccessGroupTypes(change, groupIds)));
  const expired = await deleteExpiredMemberships(change, keys);
  await removeExpired(
    change,
    expired.filter(({ groupId }) => existing.has(groupId)),
  );
}

async function removeExpired(change: Change, expired: readonly Membership[]): Promise<void> {
  await leaveGroups(change, expired);
  for (const { groupId, memberId, expiresAt } of expired) {
    const data = { groupId, memberId, expiresAt: expiresAt! };
    change.record({ type: 'access-group.member.expired', groupId, memberId, data });
  }
}

/** Updates what depends on deleted memberships: the count of the group, and cursors in its list of members. */
async function leaveGroups(change: Change, gone: readonly MembershipKey[]): Promise<void> {
  await changeMembershipCounts(change, countByGroup(gone, -1));
  await addTombstones(
    change,
    gone.map(({ groupId, memberId }) => ({ list: groupId, id: memberId })),
  );
}

function countByGroup(memberships: readonly MembershipKey[], each: 1 | -1): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { groupId } of memberships) counts.set(groupId, (counts.get(groupId) ?? 0) + each);
  return counts;
}

function nameOf({ groupId, memberId }: MembershipKey): string {
  return `${groupId} ${memberId}`;
}

export {
  type MemberOfGroup,
  selectExpiredMemberships as findExpiredMemberships,
  selectGroupsOfMember as findGroupsOfMember,
  selectGroupsOfProvider as findGroupsOfProvider,
  selectMembershipsIn as findMembershipsIn,
  selectMembersOfGroup as findMembersOfGroup,
} from './membership-store.ts';
