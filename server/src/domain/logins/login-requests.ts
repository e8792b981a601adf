import type { Member, Site } from '@gatehouse/contract';
import { loginLinkLifetimeMinutes } from '@gatehouse/contract/limits';
import type { Timestamp } from '../../base/clock.ts';
import { newId } from '../../base/ids.ts';
import type { SiteView } from '../../storage/site-view.ts';
import { type FrameForMember, framesForMembers } from '../email-texts/email-texts.ts';
import { type BudgetedEmail, type EmailLimits, loginRequestBudgets } from '../emails/email-budget.ts';
import { type EmailBudgets, lockEmailBudgets } from '../emails/email-budgets.ts';
import type { EmailComposer, EmailContext, EmailFrame } from '../emails/email-composer.ts';
import { queueEmail } from '../emails/emails.ts';
import type { Change } from '../events/change.ts';
import { type StoredInvitation, worksFor } from '../invitations/invitation.ts';
import { findInvitationsById } from '../invitations/redemption.ts';
import { hashCode } from '../login-links/login-code.ts';
import { isPublicRequest, type Joining, linkEnd, type StoredLoginLink } from '../login-links/login-link.ts';
import {
  claimLoginRequest,
  closeLoginRequest,
  findLinkByBrowser,
  findLoginRequests,
  insertLoginLink,
  lockOpenLinks,
  makeRoomForLink,
} from '../login-links/login-links.ts';
import { lockMembersByEmail } from '../members/member-lookup.ts';
import { isRecentForm, type SentForm } from '../sessions/form-responses.ts';
import { generateToken, hashToken } from '../sessions/token.ts';
import { mayRequestToJoin, maySignUp } from '../sign-up/sign-up.ts';
import { originOf } from '../sites/site.ts';
import { loginLinkUrl } from '../sites/site-addresses.ts';
import { findSite } from '../sites/sites.ts';
import { findSiteAt } from '../sites/visited-hosts.ts';

export interface LoginRequest {
  /** A normalized email address. */
  readonly email: string;
  /** The token that will identify the requesting browser. */
  readonly browserToken: string;
  /** The known browser of the address's member that makes the request; null for any other browser. */
  readonly knownBrowserId: string | null;
  readonly code: string;
  /** A path on the site to continue to after the login. */
  readonly next: string;
  readonly language: string;
  /** The URL of the site on which the request was made. */
  readonly origin: string;
  /** What the person has entered who wants to join; null for an ordinary login. */
  readonly joining: Joining | null;
}

/**
 * Records a login request, also of somebody who wants to join. It writes the same single row for a member and an anonymous
 * visitor, so that the response time does not reveal who is a member. `processLoginRequests` does the rest.
 */
export async function requestLoginLink(
  change: Change,
  { email, browserToken, knownBrowserId, code, next, language, origin, joining }: LoginRequest,
): Promise<void> {
  const { now } = change;
  await insertLoginLink(change, {
    id: newId(),
    email,
    memberId: null,
    tokenHash: null,
    browserHash: hashToken(browserToken),
    knownBrowserId,
    code,
    codeHash: hashCode(code, browserToken),
    tries: 0,
    next,
    language,
    origin,
    usedSessionId: null,
    status: 'requested',
    createdAt: now,
    expiresAt: linkEnd(now),
    sessionEndsAt: null,
    joining,
  });
}

/**
 * The token for a browser that sends the form of the login page, and whether it has sent the same form a moment ago: then
 * its request and the code in its email stay valid. Nothing here depends on who is a member.
 */
export async function browserTokenFor(
  view: SiteView,
  form: SentForm | null,
): Promise<{ readonly browserToken: string; readonly isRepeated: boolean }> {
  const sent = form && (await findLinkByBrowser(view, hashToken(form.key)));
  if (form && sent && isRecentForm(sent.createdAt, view.now))
    return { browserToken: form.key, isRepeated: true };
  return { browserToken: form && !sent ? form.key : generateToken(), isRepeated: false };
}

/**
 * Processes a few login requests: visitors with access get an email unless a limit is reached, the other requests are
 * closed without one. Returns whether more may be waiting.
 */
export async function processLoginRequests(
  change: Change,
  limit: number,
  { composer, limits }: EmailContext,
): Promise<boolean> {
  const { now } = change;
  const loginRequests = await findLoginRequests(change, limit);
  if (loginRequests.length === 0) return false;
  const site = await findSite(change);
  // Members, then budgets, then links: the order of locks everywhere.
  const emails = loginRequests.map(({ email }) => email);
  const members = await lockMembersByEmail(change, emails);
  const joined = loginRequests
    .map(({ joining }) => joining?.invitationId ?? null)
    .filter((id) => id !== null);
  const invitations = new Map(
    (await findInvitationsById(change, joined)).map((invitation) => [invitation.id, invitation]),
  );
  const emailFor = (loginRequest: StoredLoginLink) =>
    budgetedEmail({ site, invitations, limits, now }, loginRequest, members.get(loginRequest.email));
  const budgets = await lockEmailBudgets(
    change,
    loginRequests.flatMap((loginRequest) => emailFor(loginRequest) ?? []),
  );
  await lockOpenLinks(change, emails);
  const sending = { budgets, composer, frameFor: await framesForMembers(change) };
  let processed = 0;
  for (const { id } of loginRequests) {
    const loginRequest = await claimLoginRequest(change, id);
    if (!loginRequest) continue;
    const member = members.get(loginRequest.email);
    await processRequest(change, site, loginRequest, emailFor(loginRequest), member, sending);
    processed += 1;
  }
  change.record(...(await budgets.save()));
  // When another process has claimed all of them, it continues.
  return loginRequests.length === limit && processed > 0;
}

/** What decides who gets an email. */
interface Eligibility {
  readonly site: Site;
  /** The invitations of the requests, by id. */
  readonly invitations: ReadonlyMap<string, StoredInvitation>;
  readonly limits: EmailLimits;
  readonly now: Timestamp;
}

/**
 * The email for a login request. Undefined for a visitor who neither has access nor could get it, or when the request has
 * expired.
 */
function budgetedEmail(
  eligibility: Eligibility,
  loginRequest: StoredLoginLink,
  member: Member | undefined,
): BudgetedEmail | undefined {
  const { site, limits, now } = eligibility;
  const { email, knownBrowserId, createdAt } = loginRequest;
  const hasAccess = member ? member.status === 'active' : mayCome(eligibility, loginRequest);
  if (!hasAccess || originOfRequest(site, loginRequest) === null || loginRequest.expiresAt <= now)
    return undefined;
  const memberId = member?.id ?? null;
  const budgets = loginRequestBudgets({ email, memberId, knownBrowserId }, limits);
  return { at: createdAt, budgets, memberId };
}

/** Whether a person who is not a member may become one, or may ask for it. */
function mayCome({ site, invitations, now }: Eligibility, { email, joining }: StoredLoginLink): boolean {
  if (maySignUp(site, email) || mayRequestToJoin(site, joining !== null && joining.invitationId === null))
    return true;
  const invitation = invitations.get(joining?.invitationId ?? '');
  return invitation !== undefined && worksFor(invitation, email, now);
}

/** The site URL of the link for a login request. */
function originOfRequest(site: Site, loginRequest: StoredLoginLink): string | null {
  return loginRequest.origin ?? originOf(site);
}

/** What emails are counted and written with. */
interface Sending {
  readonly budgets: EmailBudgets;
  readonly composer: EmailComposer;
  readonly frameFor: FrameForMember;
}

async function processRequest(
  change: Change,
  site: Site,
  loginRequest: StoredLoginLink,
  email: BudgetedEmail | undefined,
  member: Member | undefined,
  { budgets, composer, frameFor }: Sending,
): Promise<void> {
  const usedUp = email && budgets.findUsedUp(email);
  if (usedUp) budgets.withhold(email, usedUp);
  if (
    !email ||
    usedUp ||
    !(await makeRoomForLink(change, loginRequest.email, isPublicRequest(loginRequest)))
  ) {
    await closeLoginRequest(change, loginRequest.id, null, null);
    return;
  }
  budgets.charge(email);
  const token = generateToken();
  await closeLoginRequest(change, loginRequest.id, email.memberId, hashToken(token));
  const siteThere = await findSiteAt(change, originOfRequest(site, loginRequest)!);
  const { language } = loginRequest;
  const frame = member ? frameFor(siteThere, language, member, 'own_request') : { site: siteThere, language };
  const link = { ...loginRequest, memberId: email.memberId };
  await queueLoginEmail(change, composer, siteThere, link, token, frame);
}

/** Queues the email with a link. */
export async function queueLoginEmail(
  change: Change,
  composer: EmailComposer,
  site: Site,
  link: Pick<StoredLoginLink, 'id' | 'email' | 'memberId' | 'code'>,
  token: string,
  frame: EmailFrame,
): Promise<void> {
  const { subjectWithoutCode, ...composed } = composer.loginEmail(frame, {
    url: loginLinkUrl(site, token),
    code: link.code,
    minutes: loginLinkLifetimeMinutes,
    email: link.email,
    origin: originOf(site)!,
  });
  await queueEmail(change, {
    type: 'login_link',
    recipient: link.email,
    memberId: link.memberId,
    loginLinkId: link.id,
    subject: subjectWithoutCode,
    content: { fromName: site.title, ...composed },
  });
}
