import type { Membership, MemberWithGroups } from '@gatehouse/contract';
import type { Precondition } from '../../base/api-error.ts';
import { ApiError } from '../../base/api-error.ts';
import type { Timestamp } from '../../base/clock.ts';
import { lockCustomGroup } from '../../domain/access-groups/access-groups.ts';
import type { Change } from '../../domain/events/change.ts';
import { listGroupMembers } from '../../domain/members/group-members.ts';
import { memberNotFound } from '../../domain/members/member.ts';
import { lockMember } from '../../domain/members/member-lookup.ts';
import { findMember } from '../../domain/members/members.ts';
import {
  addMemberships,
  checkExpiry,
  findMembership,
  listMemberships,
  removeMemberships,
  setMembershipEnds,
} from '../../domain/memberships/memberships.ts';
import { data, type OperationHandlers, page } from '../operation-handler.ts';

export const membershipHandlers = {
  listAccessGroupMembers: (view, { params, query }) => page(listGroupMembers(view, params.groupId, query)),

  addAccessGroupMember: async ({ change, apiUrl }, { params: { groupId }, body }) => ({
    body: { data: await addMemberToGroup(change, groupId, body) },
    location: `${apiUrl}/access-groups/${groupId}/members/${body.memberId}`,
  }),

  listMemberships: (view, { params, query }) => page(listMemberships(view, params.groupId, query)),

  getMembership: (view, { params: { groupId, memberId } }) => data(findMembership(view, groupId, memberId)),

  updateMembership: ({ change, requireMatch }, { params: { groupId, memberId }, body }) =>
    data(updateMembership(change, groupId, memberId, body, requireMatch)),

  removeAccessGroupMember: async ({ change, requireMatch }, { params: { groupId, memberId } }) => {
    await lockMembership(change, groupId, memberId, requireMatch);
    await removeMemberships(change, groupId, [memberId]);
    return { body: undefined };
  },
} satisfies OperationHandlers;

interface NewMembership {
  readonly memberId: string;
  readonly expiresAt?: Timestamp | null;
}

/** Adds an existing member to a custom group, permanently or until `expiresAt`. */
async function addMemberToGroup(
  change: Change,
  groupId: string,
  { memberId, expiresAt = null }: NewMembership,
): Promise<MemberWithGroups> {
  const { now } = change;
  const expiry = checkExpiry('/expiresAt', expiresAt, now);
  // Locks are taken in one order everywhere, member before group, to prevent deadlocks.
  const member = await lockMember(change, memberId);
  await lockCustomGroup(change, groupId);
  if (!member) throw memberNotFound();
  if ((await addMemberships(change, [groupId], [memberId], expiry)).length === 0) {
    throw new ApiError(
      'already_in_group',
      'The member is already in this access group. To change the end of the membership, update it.',
    );
  }
  return findMember(change, memberId);
}

async function updateMembership(
  change: Change,
  groupId: string,
  memberId: string,
  { expiresAt }: { readonly expiresAt: string | null },
  requireMatch: Precondition<Membership>,
): Promise<Membership> {
  const expiry = checkExpiry('/expiresAt', expiresAt, change.now);
  const before = await lockMembership(change, groupId, memberId, requireMatch);
  await setMembershipEnds(change, groupId, [memberId], expiry);
  return { ...before, expiresAt: expiry };
}

/** Locks a membership of a custom group, with its member and its group. */
async function lockMembership(
  change: Change,
  groupId: string,
  memberId: string,
  requireMatch: Precondition<Membership>,
): Promise<Membership> {
  await lockMember(change, memberId);
  await lockCustomGroup(change, groupId);
  const membership = await findMembership(change, groupId, memberId);
  requireMatch(membership);
  return membership;
}
