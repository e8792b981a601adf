import type { GroupMember, Membership, MemberWithGroups } from '@gatehouse/contract';
import { groupNotFound } from '../access-groups/access-group.ts';
import {
  addToMembershipCount,
  lockAccessGroups,
  selectAccessGroup,
} from '../access-groups/access-group-store.ts';
import { lockCustomGroup } from '../access-groups/access-groups.ts';
import { type Cause, systemCause } from '../base/cause.ts';
import type { Timestamp } from '../base/clock.ts';
import { invalidRequest, Refusal, requireTimestamp } from '../base/refusal.ts';
import { changesBetween, type NewEvent } from '../events/event.ts';
import { recordEvents } from '../events/events.ts';
import { findDeparted, rememberDeparted } from '../routing/departed-items.ts';
import { type Page, toPage, toPageBy } from '../routing/page.ts';
import type { Precondition } from '../routing/precondition.ts';
import type { Queries, Transaction } from '../storage/database.ts';
import { memberNotFound, toGroupMember } from './member.ts';
import { lockMemberRow } from './member-store.ts';
import { findMember } from './members.ts';
import { addedEvent, sourceOf, toMembership } from './membership.ts';
import {
  deleteExpiredMemberships,
  deleteMembership,
  hasPlaceInGroup,
  insertMemberships,
  selectGroupIdsWithExpired,
  selectGroupMembers,
  selectMembership,
  selectMemberships,
  selectMembershipsOf,
  updateMembershipEnds,
} from './membership-store.ts';

export interface NewMembership {
  readonly memberId: string;
  readonly expiresAt?: Timestamp | null;
}

/**
 * Adds an existing member to a custom group, for good or until `expiresAt`.
 * @throws Refusal `access_group_not_found`, `member_not_found`, `scope_group_read_only`, `already_in_group`,
 *   `invalid_request`
 */
export async function addMemberToGroup(
  tx: Transaction,
  siteId: string,
  groupId: string,
  { memberId, expiresAt = null }: NewMembership,
  cause: Cause,
): Promise<MemberWithGroups> {
  const expiry = checkExpiry('/expiresAt', expiresAt, cause.at);
  // Locks are taken in one order everywhere, member before group, so that no two transactions wait for each other.
  const member = await lockMemberRow(tx, siteId, memberId);
  await lockCustomGroup(tx, siteId, groupId, cause.at);
  if (!member) throw memberNotFound();

  const events = await joinGroup(tx, siteId, groupId, [memberId], expiry, cause);
  if (events.length === 0) {
    throw new Refusal(
      'already_in_group',
      'This member is already in this group. There is nothing left to do.',
    );
  }
  await recordEvents(tx, siteId, cause, events);
  return findMember(tx, siteId, memberId, cause.at);
}

/** When a membership is to end, as a caller gives it. @throws Refusal `invalid_request` */
export function checkExpiry(pointer: string, expiresAt: string | null, now: Timestamp): Timestamp | null {
  if (expiresAt === null) return null;
  const expiry = requireTimestamp(pointer, expiresAt);
  if (expiry <= now) throw invalidRequest(pointer, 'expiresAt lies in the past.');
  return expiry;
}

/**
 * Adds members to a group. They and the group are locked. Gives the events to record: none for those who are in it
 * already.
 */
export async function joinGroup(
  tx: Transaction,
  siteId: string,
  groupId: string,
  memberIds: readonly string[],
  expiresAt: Timestamp | null,
  cause: Cause,
): Promise<NewEvent[]> {
  const expired: NewEvent[] = [];
  for (const memberId of memberIds)
    expired.push(...(await removeExpired(tx, siteId, groupId, cause.at, 1, memberId)));
  const rows = memberIds.map((memberId) => ({
    group_id: groupId,
    member_id: memberId,
    source: sourceOf(cause),
    added_at: cause.at,
    expires_at: expiresAt,
  }));
  const added = new Set((await insertMemberships(tx, siteId, rows)).map(({ member_id }) => member_id));
  if (added.size > 0) await addToMembershipCount(tx, siteId, groupId, added.size);
  return [...expired, ...rows.filter(({ member_id }) => added.has(member_id)).map(addedEvent)];
}

/**
 * Sets when the memberships end that members have in a group. They and the group are locked. Gives the events to
 * record: none for those who are not in it, or whose membership ends then already.
 */
export async function setMembershipEnds(
  tx: Transaction,
  siteId: string,
  groupId: string,
  memberIds: readonly string[],
  expiresAt: Timestamp | null,
  now: Timestamp,
): Promise<MembershipUpdatedEvent[]> {
  if (memberIds.length === 0) return [];
  const rows = await selectMembershipsOf(tx, siteId, groupId, memberIds, now);
  const former = new Map(rows.map(({ member_id, expires_at }) => [member_id, expires_at]));
  const changed = memberIds.filter((id) => former.has(id) && former.get(id) !== expiresAt);
  if (changed.length === 0) return [];
  await updateMembershipEnds(tx, siteId, groupId, changed, expiresAt);
  return changed.map((memberId) => ({
    type: 'access-group.member.updated',
    groupId,
    memberId,
    data: {
      groupId,
      memberId,
      changes: [{ field: 'expiresAt', from: former.get(memberId)!, to: expiresAt }],
    },
  }));
}

export type MembershipUpdatedEvent = Extract<NewEvent, { type: 'access-group.member.updated' }>;

/**
 * Takes members out of a group. They and the group are locked. Gives the events to record: none for those who are not
 * in it.
 */
export async function leaveGroup(
  tx: Transaction,
  siteId: string,
  groupId: string,
  memberIds: readonly string[],
  now: Timestamp,
): Promise<NewEvent[]> {
  const left: string[] = [];
  for (const memberId of memberIds) {
    if (!(await selectMembership(tx, siteId, groupId, memberId, now))) continue;
    await deleteMembership(tx, siteId, groupId, memberId);
    left.push(memberId);
  }
  if (left.length > 0) await addToMembershipCount(tx, siteId, groupId, -left.length);
  await rememberDeparted(
    tx,
    siteId,
    groupId,
    left.map((id) => ({ id })),
    now,
  );
  return left.map((memberId) => ({
    type: 'access-group.member.removed',
    groupId,
    memberId,
    data: { groupId, memberId },
  }));
}

/** @throws Refusal `membership_not_found` */
export async function findMembership(
  db: Queries,
  siteId: string,
  groupId: string,
  memberId: string,
  now: Timestamp,
): Promise<Membership> {
  const row = await selectMembership(db, siteId, groupId, memberId, now);
  if (!row) throw new Refusal('membership_not_found', 'This member is not in this group. Check both ids.');
  return toMembership(row);
}

/**
 * Changes when a membership ends.
 * @throws Refusal `access_group_not_found`, `scope_group_read_only`, `membership_not_found`, `invalid_request`
 */
export async function updateMembership(
  tx: Transaction,
  siteId: string,
  groupId: string,
  memberId: string,
  { expiresAt }: { readonly expiresAt: string | null },
  cause: Cause,
  requireMatch: Precondition<Membership>,
): Promise<Membership> {
  const expiry = checkExpiry('/expiresAt', expiresAt, cause.at);
  await lockMemberRow(tx, siteId, memberId);
  await lockCustomGroup(tx, siteId, groupId, cause.at);
  const before = await findMembership(tx, siteId, groupId, memberId, cause.at);
  requireMatch(before);
  const after: Membership = { ...before, expiresAt: expiry };
  const changes = changesBetween(before, after, ['expiresAt']);
  if (changes.length === 0) return before;
  await updateMembershipEnds(tx, siteId, groupId, [memberId], expiry);
  await recordEvents(tx, siteId, cause, [
    { type: 'access-group.member.updated', groupId, memberId, data: { groupId, memberId, changes } },
  ]);
  return after;
}

/** @throws Refusal `access_group_not_found`, `scope_group_read_only`, `membership_not_found` */
export async function removeMemberFromGroup(
  tx: Transaction,
  siteId: string,
  groupId: string,
  memberId: string,
  cause: Cause,
  requireMatch: Precondition<Membership>,
): Promise<void> {
  await lockMemberRow(tx, siteId, memberId);
  await lockCustomGroup(tx, siteId, groupId, cause.at);
  requireMatch(await findMembership(tx, siteId, groupId, memberId, cause.at));
  await recordEvents(tx, siteId, cause, await leaveGroup(tx, siteId, groupId, [memberId], cause.at));
}

export interface GroupMemberQuery {
  readonly after?: string;
  readonly limit: number;
}

/** Lists the members of a group, newest first. @throws Refusal `access_group_not_found`, `invalid_cursor` */
export async function listGroupMembers(
  db: Queries,
  siteId: string,
  groupId: string,
  query: GroupMemberQuery,
  now: Timestamp,
): Promise<Page<GroupMember>> {
  await requirePlace(db, siteId, groupId, query, now);
  const { after, limit } = query;
  return toPage(await selectGroupMembers(db, siteId, groupId, after, limit + 1, now), limit, toGroupMember);
}

/** Lists the memberships of a group, in the order of its members. @throws Refusal as `listGroupMembers` */
export async function listMemberships(
  db: Queries,
  siteId: string,
  groupId: string,
  query: GroupMemberQuery,
  now: Timestamp,
): Promise<Page<Membership>> {
  await requirePlace(db, siteId, groupId, query, now);
  const { after, limit } = query;
  const rows = await selectMemberships(db, siteId, groupId, after, limit + 1, now);
  return toPageBy(rows, limit, toMembership, ({ memberId }) => memberId);
}

async function requirePlace(
  db: Queries,
  siteId: string,
  groupId: string,
  { after }: GroupMemberQuery,
  now: Timestamp,
): Promise<void> {
  if (!(await selectAccessGroup(db, siteId, groupId, now))) throw groupNotFound();
  if (after !== undefined && !(await hasPlaceInGroup(db, siteId, groupId, after))) {
    await findDeparted(db, siteId, groupId, after, now);
  }
}

/** Removes a few memberships past their time. Gives how many. */
export async function removeExpiredMemberships(
  tx: Transaction,
  siteId: string,
  now: Timestamp,
  limit: number,
): Promise<number> {
  const events: NewEvent[] = [];
  const groupIds = (await selectGroupIdsWithExpired(tx, siteId, now, limit)).map(({ group_id }) => group_id);
  // Group before membership, as everywhere, so that no two transactions wait for each other.
  await lockAccessGroups(tx, siteId, groupIds);
  for (const groupId of groupIds) {
    events.push(...(await removeExpired(tx, siteId, groupId, now, limit - events.length)));
    if (events.length >= limit) break;
  }
  await recordEvents(tx, siteId, systemCause(now), events);
  return events.length;
}

async function removeExpired(
  tx: Transaction,
  siteId: string,
  groupId: string,
  now: Timestamp,
  limit: number,
  memberId?: string,
): Promise<NewEvent[]> {
  const rows = await deleteExpiredMemberships(tx, siteId, groupId, now, limit, memberId);
  if (rows.length === 0) return [];
  const departed = rows.map(({ member_id }) => ({ id: member_id }));
  await addToMembershipCount(tx, siteId, groupId, -rows.length);
  await rememberDeparted(tx, siteId, groupId, departed, now);
  return rows.map(({ group_id, member_id, expires_at }) => ({
    type: 'access-group.member.expired',
    groupId: group_id,
    memberId: member_id,
    data: { groupId: group_id, memberId: member_id, expiresAt: expires_at },
  }));
}
