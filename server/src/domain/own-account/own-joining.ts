import type { Member, Session } from '@gatehouse/contract';
import type { Change } from '../events/change.ts';
import { findInvitationByCode, redeemInvitation } from '../invitations/redemption.ts';
import { requestToJoin } from '../join-requests/join-requests.ts';
import type { JoinOutcome } from '../logins/login.ts';
import { lockMember } from '../members/member-lookup.ts';
import { loggedOut } from '../sessions/session.ts';
import { findSite } from '../sites/sites.ts';

/** What a member who is logged in tells the team of the site. */
export interface MemberRequest {
  readonly message: string | null;
  /** The path of the site from which the member came; null if none is known. */
  readonly path: string | null;
  readonly language: string;
}

/** Lets a member join with the code of an invitation. @throws {ApiError} `logged_out` */
export async function joinOwn(
  own: Change,
  session: Session,
  code: string,
  request: MemberRequest,
): Promise<JoinOutcome | { readonly outcome: 'joined' }> {
  const member = await lockOwn(own, session);
  const invitation = await findInvitationByCode(own, code);
  if (!invitation) return { outcome: 'invitation_ended' };
  const { outcome } = await redeemInvitation(own, invitation.id, member.email, member);
  if (outcome === 'not_active') return { outcome: 'invitation_ended' };
  if (outcome !== 'needs_approval') return { outcome: 'joined' };
  return { outcome: await storeRequest(own, member, invitation.id, request) };
}

/**
 * Stores that a member asks for access to a page that denies it. Undefined if the site allows no such requests.
 * @throws {ApiError} `logged_out`
 */
export async function requestAccess(
  own: Change,
  session: Session,
  request: MemberRequest,
): Promise<JoinOutcome | undefined> {
  const member = await lockOwn(own, session);
  const { allowsAccessRequests } = await findSite(own);
  if (!allowsAccessRequests) return undefined;
  return { outcome: await storeRequest(own, member, null, request) };
}

async function lockOwn(own: Change, { memberId }: Session): Promise<Member> {
  const member = await lockMember(own, memberId);
  if (member?.status !== 'active') throw loggedOut();
  return member;
}

function storeRequest(
  own: Change,
  { id: memberId, email, displayName }: Member,
  invitationId: string | null,
  { message, path, language }: MemberRequest,
) {
  return requestToJoin(own, { email, memberId, invitationId, displayName, message, path, language });
}
