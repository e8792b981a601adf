import type { JoinRequestDecision, Member } from '@gatehouse/contract';
import type { Timestamp } from '../../base/clock.ts';
import { idsOf } from '../../base/ids.ts';
import { lockAccessGroups, requireCustomGroups } from '../access-groups/access-groups.ts';
import type { EmailContext } from '../emails/email-composer.ts';
import type { Change } from '../events/change.ts';
import { redeemForApproval } from '../invitations/redemption.ts';
import type { StoredJoinRequest } from '../join-requests/join-request.ts';
import { claimJoinRequests, linkMembers } from '../join-requests/join-requests.ts';
import { lockMembers, lookUpMembersByEmail } from '../members/member-lookup.ts';
import { createMembers } from '../members/new-members.ts';
import { checkExpiry, extendMemberships } from '../memberships/memberships.ts';
import { Decisions } from './decision.ts';
import { DecisionEmails } from './decision-emails.ts';
import { lockRequestingMembers, withPresentAddresses } from './requesting-members.ts';

/** What an approval gives, as submitted. */
export interface SubmittedGrant {
  readonly accessGroupIds?: readonly string[] | undefined;
  readonly membershipExpiresAt?: string | null | undefined;
}

interface Grant {
  readonly groupIds: readonly string[];
  readonly expiresAt: Timestamp | null;
}

/**
 * Approves requests to join, with a result for each, in the given order. The people become members, if they are not, and
 * join the groups. Locks are taken in the order of everywhere: members, email budgets, groups, requests.
 * @throws {ApiError} `invalid_request`, `access_group_not_found`, `scope_group_read_only`; nothing is changed then
 */
export async function approveJoinRequests(
  change: Change,
  joinRequestIds: readonly string[],
  { accessGroupIds = [], membershipExpiresAt = null }: SubmittedGrant,
  context: EmailContext,
): Promise<JoinRequestDecision[]> {
  const groupIds = [...new Set(accessGroupIds.map((id) => id.toLowerCase()))];
  const expiresAt = checkExpiry('/membershipExpiresAt', membershipExpiresAt, change.now);
  await requireCustomGroups(change, groupIds);
  const decisions = await Decisions.begin(change, joinRequestIds);
  const members = await lockRequestingMembers(change, decisions.open);
  for (const { id } of decisions.open)
    if (members.get(id)?.status === 'blocked') decisions.fail(id, 'member_blocked');
  const requests = withPresentAddresses(decisions.open, members);
  const emails = await DecisionEmails.charge(change, 'join_request_approved', requests, context);
  await lockAccessGroups(change, groupIds);
  const admitting: Admitting = { change, members, grant: { groupIds, expiresAt } };
  const admitted = await admit(
    admitting,
    requests.filter(({ invitationId }) => invitationId === null),
  );
  for (const request of requests.filter(({ invitationId }) => invitationId !== null)) {
    const invited = await admitInvited(admitting, request);
    if (invited === 'used_up') decisions.fail(request.id, 'invitation_used_up');
    else admitted.push(...invited);
  }
  for (const { request, memberId } of admitted) decisions.decide(request.id, memberId);
  await emails.send(admitted);
  return decisions.results('approved');
}

interface Admitting {
  readonly change: Change;
  /** The members who ask, by request. */
  readonly members: ReadonlyMap<string, Member>;
  readonly grant: Grant;
}

interface Admitted {
  readonly request: StoredJoinRequest;
  readonly memberId: string;
  readonly member: Member;
}

/** Approves those of the requests that still wait. */
async function admit(
  { change, members, grant }: Admitting,
  requests: readonly StoredJoinRequest[],
): Promise<Admitted[]> {
  const { actor } = change.context;
  const claimed = new Set(await claimJoinRequests(change, idsOf(requests), 'approved', actor));
  const approved = requests.filter(({ id }) => claimed.has(id));
  const newcomers = approved.filter(({ id }) => !members.has(id));
  const created = await createMembers(change, newcomers);
  // An address that has become a member's in the meantime: with the lock on the address released, that member is there.
  const taken = newcomers.filter((_, index) => created[index] === undefined).map(({ email }) => email);
  const others = await lookUpMembersByEmail(change, taken);
  const byEmail = new Map(
    [...created, ...others].flatMap((member) => (member ? [[member.email, member]] : [])),
  );
  const admitted = approved.map((request) => {
    const member = members.get(request.id) ?? byEmail.get(request.email)!;
    return { request, memberId: member.id, member };
  });
  await linkMembers(change, idsOf(newcomers));
  for (const { request, memberId } of admitted) {
    const data = { joinRequestId: request.id, memberId };
    change.record({ type: 'join-request.approved', memberId, data });
  }
  // A member whose address has changed may have asked with both.
  const memberIds = [...new Set(admitted.map(({ memberId }) => memberId))];
  await extendMemberships(change, grant.groupIds, memberIds, grant.expiresAt);
  return admitted;
}

/** Approves a request with an invitation, of which a use is taken. Without one, nothing is changed. */
async function admitInvited(
  admitting: Admitting,
  request: StoredJoinRequest,
): Promise<Admitted[] | 'used_up'> {
  const { change, members } = admitting;
  try {
    return await change.savepoint(async () => {
      const admitted = await admit(admitting, [request]);
      for (const { memberId } of admitted) {
        const isNew = !members.has(request.id);
        const [member] = await lockMembers(change, [memberId]);
        if (!(await redeemForApproval(change, request.invitationId!, member!, isNew))) throw new UsedUp();
      }
      return admitted;
    });
  } catch (error) {
    if (error instanceof UsedUp) return 'used_up';
    throw error;
  }
}

class UsedUp extends Error {}
