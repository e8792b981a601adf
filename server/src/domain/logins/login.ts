import type { Actor, EventData, Member, Site } from '@gatehouse/contract';
import type { Timestamp } from '../../base/clock.ts';
import type { SiteView } from '../../storage/site-view.ts';
import type { EmailComposer } from '../emails/email-composer.ts';
import type { Change } from '../events/change.ts';
import { recordKnownBrowser } from '../known-browsers/known-browsers.ts';
import { hashCode, isSameHash, readCode } from '../login-links/login-code.ts';
import { codeLogsIn, linkEnd, maxCodeTries, type StoredLoginLink } from '../login-links/login-link.ts';
import {
  countCodeTry,
  findLinkByBrowser,
  findLinkByToken,
  findSessionsOfLinks,
  keepCodes,
  lockOpenLinks,
  useUpLink,
} from '../login-links/login-links.ts';
import { countsOfChange } from '../members/member.ts';
import { lockMemberByEmail, markLoggedIn } from '../members/member-lookup.ts';
import { findFormResponse, type SentForm, saveFormResponse } from '../sessions/form-responses.ts';
import type { Browser, SessionLifetime } from '../sessions/session.ts';
import { endSession, findSession, openSession } from '../sessions/sessions.ts';
import { hashToken, isToken } from '../sessions/token.ts';
import { maySignUp, signUpMember } from '../sign-up/sign-up.ts';
import { loginSurfaceOf } from '../sites/site.ts';
import { findSite } from '../sites/sites.ts';
import { findSiteAt } from '../sites/visited-hosts.ts';
import { closeEveryLink, closeEveryOtherLink, hasRequestedLink } from './closing-links.ts';
import { notifyOperator } from './operator-notices.ts';
import { limitSessions, notifyEndedSessions } from './session-limit.ts';

/** A link, as shown on the confirmation page before the login. */
export interface WaitingLink {
  readonly email: string;
  /** Whether this browser requested the link. */
  readonly sameBrowser: boolean;
}

/** Reads a link without using it. Undefined when it does not work, or no longer works. */
export async function findWaitingLink(
  view: SiteView,
  token: string,
  browserToken: string | undefined,
): Promise<WaitingLink | undefined> {
  if (!isToken(token)) return undefined;
  const link = await findLinkByToken(view, hashToken(token));
  if (!link) return undefined;
  const sameBrowser = isToken(browserToken) && link.browserHash === hashToken(browserToken);
  return { email: link.email, sameBrowser };
}

/** A login request of a browser. */
export interface PendingLoginRequest {
  readonly email: string;
  readonly next: string;
  /** The known browser of the member with this address; null for any other browser. */
  readonly knownBrowserId: string | null;
  /** Whether its code can still be entered. */
  readonly codeWorks: boolean;
}

/** The latest login request of a browser. */
export async function findLoginRequest(
  view: SiteView,
  browserToken: string | undefined,
): Promise<PendingLoginRequest | undefined> {
  if (!isToken(browserToken)) return undefined;
  const loginRequest = await findLinkByBrowser(view, hashToken(browserToken));
  if (!loginRequest) return undefined;
  const codeWorks = loginRequest.tries < maxCodeTries && !isOld(loginRequest, view.now);
  return {
    email: loginRequest.email,
    next: loginRequest.next,
    knownBrowserId: loginRequest.knownBrowserId,
    codeWorks,
  };
}

/**
 * The browser of a login, with what it already has: the token of its login request, a session, and the device cookie of a
 * known browser.
 */
export interface LoginBrowser extends Browser {
  /** How long the session will last. */
  readonly lifetime: SessionLifetime;
  readonly loginToken: string | null;
  /** The language of its pages. */
  readonly language: string;
  readonly sessionToken: string | null;
  readonly deviceCookie: string | null;
  /** The form with which it logs in; null without the cookie of the page. */
  readonly form: SentForm | null;
}

/** The cookies that a browser gets at login. */
export interface LoginCookies {
  readonly sessionToken: string;
  readonly deviceCookie: string;
}

export interface SuccessfulLogin {
  readonly outcome: 'logged_in';
  readonly cookies: LoginCookies;
  readonly next: string;
  /** Sessions that links of this address have just opened in browsers that had not requested them. */
  readonly otherSessionIds: readonly string[];
}

export type Login = SuccessfulLogin | { readonly outcome: 'expired' } | { readonly outcome: 'wrong_code' };

/** Uses a link, which works once. */
export async function consumeLoginLink(
  change: Change,
  token: string,
  browser: LoginBrowser,
  composer: EmailComposer,
): Promise<Login> {
  const { db, siteId } = change;
  if (!isToken(token)) return { outcome: 'expired' };
  const link = await findLinkByToken({ db, siteId, now: change.now }, hashToken(token));
  return link ? logIn(change, link, 'link', browser, composer) : { outcome: 'expired' };
}

/** Uses the code of an email in the browser that requested it. It is invalid after five wrong attempts. */
export async function consumeLoginCode(
  change: Change,
  typed: string,
  browser: LoginBrowser,
  composer: EmailComposer,
): Promise<Login> {
  const { db, siteId } = change;
  const { loginToken } = browser;
  if (!isToken(loginToken)) return { outcome: 'expired' };
  const code = readCode(typed);
  // A text that cannot be a code is a typing error and does not count as an attempt.
  if (code === undefined) return { outcome: 'wrong_code' };
  const loginRequest = await findLinkByBrowser(change, hashToken(loginToken));
  if (!loginRequest) return { outcome: 'expired' };
  // Member before link: the order of locks everywhere.
  await lockMemberByEmail(change, loginRequest.email);
  await lockOpenLinks(change, [loginRequest.email]);
  const link = await countCodeTry({ db, siteId, now: change.now }, hashToken(loginToken));
  if (!link) return { outcome: 'expired' };
  const right = isSameHash(hashCode(code, loginToken), link.codeHash!);
  // The login request of a visitor without access has no token: no code works for it, and every attempt is answered as
  // wrong.
  if (right && codeLogsIn(link)) return logIn(change, link, 'code', browser, composer);
  return { outcome: link.tries >= maxCodeTries || isOld(link, change.now) ? 'expired' : 'wrong_code' };
}

/**
 * Whether a browser is shown that its login request has expired. It is measured from the request. An email extends the
 * lifetime of its link, but only visitors with access get an email, and the time at which a code expires must not
 * reveal that.
 */
function isOld({ createdAt }: StoredLoginLink, now: Timestamp): boolean {
  return linkEnd(createdAt) <= now;
}

async function logIn(
  change: Change,
  link: StoredLoginLink,
  method: 'link' | 'code',
  browser: LoginBrowser,
  composer: EmailComposer,
): Promise<Login> {
  const known = await lockMemberByEmail(change, link.email);
  await lockOpenLinks(change, [link.email]);
  const otherSessionIds = await findSessionsOfLinks(change, link.email);
  if (!(await useUpLink(change, link.id, method))) return { outcome: 'expired' };
  const requestedHere = method === 'code' || (await hasRequestedLink(change, link.email, browser));
  const codes = requestedHere ? await closeEveryLink(change, link) : await closeEveryOtherLink(change, link);
  const member = known ?? (await signedUp(change, link));
  if (member?.status !== 'active' || (link.memberId !== null && link.memberId !== member.id)) {
    return { outcome: 'expired' };
  }
  const endsAt = link.sessionEndsAt;
  const opened = await openMemberSession(change, member, method, browser, endsAt);
  const { sessionId, cookies, evicted } = opened;
  await keepCodes(change, codes, sessionId);
  const site = await findSite(change);
  if (loginSurfaceOf(site) === 'operators') await notifyNewBrowser(change, member, opened, browser, composer);
  else if (evicted > 0) {
    const there = link.origin === null ? site : await findSiteAt(change, link.origin);
    await notifyEndedSessions(change, there, { id: member.id, email: link.email }, link.language, composer);
  }
  const shown = requestedHere ? otherSessionIds : [];
  return confirmLogin(change, browser, sessionId, cookies, link.next, shown);
}

/** The result of a login, which is stored for the case that the browser sends its form again. */
export async function confirmLogin(
  change: Change,
  { form }: LoginBrowser,
  sessionId: string,
  cookies: LoginCookies,
  next: string,
  otherSessionIds: readonly string[],
): Promise<SuccessfulLogin> {
  const login: SuccessfulLogin = { outcome: 'logged_in', cookies, next, otherSessionIds };
  await saveFormResponse(change, form, sessionId, login);
  return login;
}

/**
 * The login of a form that this browser has just sent; undefined if there was none, or its session has ended. A browser that
 * sends a form twice drops the first response with its cookies, so the second response has the same ones.
 */
export function findRepeatedLogin(
  view: SiteView,
  form: SentForm | null,
): Promise<SuccessfulLogin | undefined> {
  return findFormResponse<SuccessfulLogin>(view, form);
}

/** A login, with the number of older sessions that ended because the member had too many. */
export interface OpenedLogin {
  readonly sessionId: string;
  readonly cookies: LoginCookies;
  readonly evicted: number;
  /** Whether the member had not logged in in this browser before. */
  readonly isNewBrowser: boolean;
}

/**
 * Opens a session for a member whose row is locked, and replaces the session that the browser had.
 * @param endsAt when it ends at the latest; null if only the general limits apply
 */
export async function openMemberSession(
  change: Change,
  member: Member,
  method: EventData['member.login']['method'],
  browser: LoginBrowser,
  endsAt: Timestamp | null = null,
): Promise<OpenedLogin> {
  await markLoggedIn(change, member.id);
  const own = change.as(actorOf(member));
  const { session, token } = await openSession(own, member.id, browser, endsAt, browser.lifetime);
  own.record({
    type: 'member.login',
    memberId: member.id,
    data: { memberId: member.id, sessionId: session.id, method },
    counts: countsOfChange(member, { ...member, verified: true }),
  });
  // First the session that the browser had, which does not count.
  await endSessionBefore(change, browser.sessionToken, member);
  const evicted = await limitSessions(own, member.id);
  const { deviceCookie, isNew } = await recordKnownBrowser(change, member.id, browser.deviceCookie);
  const cookies = { sessionToken: token, deviceCookie };
  return { sessionId: session.id, cookies, evicted, isNewBrowser: isNew };
}

/** Notifies an operator by email about a login in a new browser, except about the first login of all. */
export async function notifyNewBrowser(
  change: Change,
  operator: Pick<Member, 'id' | 'email' | 'lastLoginAt'>,
  { isNewBrowser }: OpenedLogin,
  { userAgent, ipAddress, language }: LoginBrowser,
  composer: EmailComposer,
): Promise<void> {
  if (!isNewBrowser || operator.lastLoginAt === null) return;
  await notifyOperator(change, operator, { type: 'new_browser', userAgent, ipAddress }, language, composer);
}

async function signedUp(change: Change, link: StoredLoginLink): Promise<Member | undefined> {
  const site: Site = await findSite(change);
  if (link.memberId !== null || !maySignUp(site, link.email)) return undefined;
  const member = await signUpMember(change.as({ type: 'member', id: null, name: null }), site, link.email);
  return member ?? lockMemberByEmail(change, link.email);
}

/** A browser has one session: every login opens a new one and ends the previous one. */
async function endSessionBefore(
  change: Change,
  token: string | null,
  member: Pick<Member, 'id' | 'displayName'>,
): Promise<void> {
  const session = await findSession(change, token);
  if (!session) return;
  // If another member was logged in, that member's events must not contain this member's name: it would remain there
  // after this member is deleted.
  const actor = actorOf(session.memberId === member.id ? member : { ...member, displayName: null });
  await endSession(change.as(actor), session.memberId, session.id, 'replaced');
}

function actorOf({ id, displayName: name }: Pick<Member, 'id' | 'displayName'>): Actor {
  return { type: 'member', id, name };
}
