import type { Actor, Member } from '@gatehouse/contract';
import { millisecondsPerDay, type Timestamp, timestampAfter } from '../../base/clock.ts';
import { newId } from '../../base/ids.ts';
import type { SiteView } from '../../storage/site-view.ts';
import { findAccessGroupTypes, lockAccessGroups } from '../access-groups/access-groups.ts';
import type { Change } from '../events/change.ts';
import { lockMemberByEmail } from '../members/member-lookup.ts';
import { createMembers } from '../members/new-members.ts';
import { addMemberships, findGroupsOfMembers, setMembershipEnds } from '../memberships/memberships.ts';
import { hashToken, isToken } from '../sessions/token.ts';
import { type StoredInvitation, worksFor } from './invitation.ts';
import {
  deleteCodesOf,
  selectInvitation,
  selectInvitationByCode,
  takeApprovedUse,
  takeUse,
} from './invitation-store.ts';
import { mayStillInvite } from './maker.ts';
import { findFirstRedemptionTime, insertRedemption } from './redemption-store.ts';

export { selectInvitationsById as findInvitationsById } from './invitation-store.ts';

/** What came of an attempt to join. */
export type Redemption =
  | { readonly outcome: 'joined' | 'unchanged'; readonly member: Member }
  | { readonly outcome: 'needs_approval'; readonly invitation: StoredInvitation }
  | { readonly outcome: 'not_active' };

/** The invitation of a link, whatever its status. Nothing is counted or changed. */
export async function findInvitationByCode(
  view: SiteView,
  code: string,
): Promise<StoredInvitation | undefined> {
  return isToken(code) ? selectInvitationByCode(view, hashToken(code)) : undefined;
}

/**
 * Lets somebody join who has just proved that the normalized email address is theirs. A use is taken only if they gain
 * something, and nobody is unblocked.
 * @param member whose row is locked; undefined if nobody has the address
 */
export async function redeemInvitation(
  change: Change,
  invitationId: string,
  email: string,
  member: Member | undefined,
): Promise<Redemption> {
  const invitation = await selectInvitation(change, invitationId);
  if (!invitation || !worksFor(invitation, email, change.now)) return { outcome: 'not_active' };
  if (!(await mayStillInvite(change, invitation, invitation.groupIds))) return { outcome: 'not_active' };
  if (member?.status === 'blocked') return { outcome: 'unchanged', member };
  if (invitation.needsApproval) {
    const gains = member === undefined || (await findGains(change, invitation, member)).size > 0;
    return gains ? { outcome: 'needs_approval', invitation } : { outcome: 'unchanged', member };
  }
  return change
    .savepoint(() => join(change, invitation, email, member))
    .catch((error) => {
      if (error instanceof UsedUp) return { outcome: 'not_active' };
      throw error;
    });
}

/**
 * Takes the use of somebody whose request to join is approved, also if the invitation has ended since the request. Returns
 * false if all its uses are taken. @param member whose row is locked
 */
export async function redeemForApproval(
  change: Change,
  invitationId: string,
  member: Pick<Member, 'id'>,
  isNewMember: boolean,
): Promise<boolean> {
  const invitation = await selectInvitation(change, invitationId);
  // One that has been purged has no use to take.
  if (!invitation) return true;
  if (!(await takeApprovedUse(change, invitationId))) return false;
  await recordRedemption(change, invitation, member.id, isNewMember);
  return true;
}

/** Somebody else took the last use, or the invitation ended. What was done until then is undone. */
class UsedUp extends Error {}

async function join(
  change: Change,
  invitation: StoredInvitation,
  email: string,
  known: Member | undefined,
): Promise<Redemption> {
  const created = known ? undefined : await createJoiningMember(change, email);
  const member = known ?? created ?? (await lockMemberByEmail(change, email))!;
  if (member.status === 'blocked') return { outcome: 'unchanged', member };
  await lockAccessGroups(change, invitation.groupIds);
  const gains = await findGains(change, invitation, member);
  if (!created && gains.size === 0) return { outcome: 'unchanged', member };
  if (!(await takeUse(change, invitation.id))) throw new UsedUp();
  const own = change.as(joiningActor(member));
  for (const [groupId, { isMember, expiresAt }] of gains) {
    if (isMember) await setMembershipEnds(own, groupId, [member.id], expiresAt);
    else await addMemberships(own, [groupId], [member.id], expiresAt, 'invitation');
  }
  await recordRedemption(own, invitation, member.id, created !== undefined);
  return { outcome: 'joined', member };
}

/** Undefined if somebody has become a member with this address in the meantime. */
async function createJoiningMember(change: Change, email: string): Promise<Member | undefined> {
  const [member] = await createMembers(change.as({ type: 'member', id: null, name: null }), [{ email }]);
  return member;
}

/** A membership that begins, or that lasts longer than it did. */
interface Gain {
  readonly isMember: boolean;
  readonly expiresAt: Timestamp | null;
}

/** What a member gains, by group. A later end, or none, is never shortened, and a group that was deleted gives nothing. */
async function findGains(
  change: Change,
  invitation: StoredInvitation,
  member: Pick<Member, 'id'>,
): Promise<Map<string, Gain>> {
  // Days count from the first time: joining again neither prolongs the memberships nor takes a use.
  const joinedAt = await findFirstRedemptionTime(change, invitation.id, member.id);
  const expiresAt = membershipEnd(invitation, joinedAt ?? change.now);
  if (expiresAt !== null && expiresAt <= change.now) return new Map();
  const types = await findAccessGroupTypes(change, invitation.groupIds);
  const groupIds = types.filter(({ type }) => type === 'custom').map(({ id }) => id);
  const current = new Map(
    (await findGroupsOfMembers(change, [member.id])).map((group) => [group.id, group.expiresAt]),
  );
  const gains = new Map<string, Gain>();
  for (const groupId of groupIds.sort()) {
    const end = current.get(groupId);
    if (end === undefined) gains.set(groupId, { isMember: false, expiresAt });
    else if (end !== null && (expiresAt === null || expiresAt > end))
      gains.set(groupId, { isMember: true, expiresAt });
  }
  return gains;
}

/** When the memberships expire of those who join at a time. */
function membershipEnd(
  { membershipExpiresAt, membershipDays }: StoredInvitation,
  joinedAt: Timestamp,
): Timestamp | null {
  if (membershipDays === null) return membershipExpiresAt;
  return timestampAfter(joinedAt, membershipDays * millisecondsPerDay);
}

async function recordRedemption(
  change: Change,
  { id: invitationId, email }: StoredInvitation,
  memberId: string,
  isNewMember: boolean,
): Promise<void> {
  const id = newId();
  await insertRedemption(change, { id, invitationId, memberId, isNewMember, redeemedAt: change.now });
  // Other links to the same mailbox may still lie in it.
  if (email !== null) await deleteCodesOf(change, invitationId);
  change.record({
    type: 'invitation.redeemed',
    memberId,
    data: { invitationId, memberId, isNewMember },
  });
}

function joiningActor({ id, displayName }: Member): Actor {
  return { type: 'member', id, name: displayName };
}
