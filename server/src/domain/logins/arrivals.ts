import type { Member, Site } from '@gatehouse/contract';
import type { SiteView } from '../../storage/site-view.ts';
import type { Change } from '../events/change.ts';
import { findInvitationsById, redeemInvitation } from '../invitations/redemption.ts';
import { requestToJoin } from '../join-requests/join-requests.ts';
import type { Joining, StoredLoginLink } from '../login-links/login-link.ts';
import { lockMemberByEmail, lookUpMemberByEmail } from '../members/member-lookup.ts';
import { mayRequestToJoin, maySignUp, signUpMember } from '../sign-up/sign-up.ts';
import { findSite } from '../sites/sites.ts';
import type { JoinOutcome } from './login.ts';

/** What somebody who asks to join tells the team of the site. */
export type EnteredTexts = Pick<Joining, 'displayName' | 'message'>;

/** What somebody who has proved an email address came with: a used link, or a login at a provider. */
export type ProvenAddress = Pick<StoredLoginLink, 'email' | 'memberId' | 'joining' | 'next' | 'language'>;

/** Who arrives with a link: the member to log in, undefined for nobody; or what came of joining without a login. */
export type Arrival = { readonly member: Member | undefined } | JoinOutcome;

/**
 * Lets the owner of a proven address join, in the transaction that verifies it: with an invitation, by sign-up, or
 * by asking the team of the site.
 * @param known the member with the address, whose row is locked; undefined if nobody has it
 */
export async function arrive(
  change: Change,
  link: ProvenAddress,
  known: Member | undefined,
): Promise<Arrival> {
  if (known?.status === 'blocked') return { member: known };
  const invitationId = link.joining?.invitationId ?? null;
  if (invitationId !== null) return arriveInvited(change, link, invitationId, known);
  if (known || link.memberId !== null) return { member: known };
  const site = await findSite(change);
  if (maySignUp(site, link.email)) return signUp(change, site, link);
  return mayRequestToJoin(site, link.joining !== null)
    ? storeRequest(change, link, undefined)
    : { member: undefined };
}

async function arriveInvited(
  change: Change,
  link: ProvenAddress,
  invitationId: string,
  known: Member | undefined,
): Promise<Arrival> {
  const redemption = await redeemInvitation(change, invitationId, link.email, known);
  if (redemption.outcome === 'needs_approval') return storeRequest(change, link, known);
  if (redemption.outcome !== 'not_active') return { member: redemption.member };
  if (known) return { member: known };
  const site = await findSite(change);
  return maySignUp(site, link.email) ? signUp(change, site, link) : { outcome: 'invitation_ended' };
}

async function signUp(change: Change, site: Site, { email }: ProvenAddress): Promise<Arrival> {
  const member = await signUpMember(change.as({ type: 'member', id: null, name: null }), site, email);
  return { member: member ?? (await lockMemberByEmail(change, email)) };
}

async function storeRequest(
  change: Change,
  link: ProvenAddress,
  known: Member | undefined,
): Promise<JoinOutcome> {
  const { email, language, joining } = link;
  const outcome = await requestToJoin(change, {
    email,
    memberId: known?.id ?? null,
    invitationId: joining?.invitationId ?? null,
    displayName: joining?.displayName ?? known?.displayName ?? null,
    message: joining?.message ?? null,
    path: joining ? joining.path : pathOf(link.next),
    language,
  });
  return { outcome };
}

/** The path of the page to continue to, without its query, which may be secret; null for the front page. */
export function pathOf(next: string): string | null {
  const [path] = next.split('?');
  return path === '/' ? null : path!;
}

/**
 * Whether a link does more than to log a member in. The program of a mailbox that presses it without the cookie of its page
 * must not do that for the person.
 */
export async function isJoining(
  view: SiteView,
  link: StoredLoginLink,
  known: Member | undefined,
): Promise<boolean> {
  if (link.joining !== null) return true;
  if (known || link.memberId !== null) return false;
  const site = await findSite(view);
  return !maySignUp(site, link.email) && mayRequestToJoin(site, false);
}

/** What a link asks the team of the site for; null if it logs in. */
export async function findRequestOf(view: SiteView, link: StoredLoginLink): Promise<Joining | null> {
  const { email, joining } = link;
  const request = joining ?? {
    invitationId: null,
    displayName: null,
    message: null,
    path: pathOf(link.next),
  };
  if (joining !== null && joining.invitationId !== null) {
    const [invitation] = await findInvitationsById(view, [joining.invitationId]);
    return invitation?.needsApproval ? request : null;
  }
  if (link.memberId !== null || (await lookUpMemberByEmail(view, email))) return null;
  const site = await findSite(view);
  return !maySignUp(site, email) && mayRequestToJoin(site, joining !== null) ? request : null;
}

/** A link with what the person entered on its page. */
export function withTexts(link: StoredLoginLink, entered: EnteredTexts): StoredLoginLink {
  const { displayName, message } = entered;
  const joining = link.joining ?? { invitationId: null, path: pathOf(link.next) };
  return { ...link, joining: { ...joining, displayName, message } };
}
