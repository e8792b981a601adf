import type { Actor, Member } from '@gatehouse/contract';
import type { Timestamp } from '../../base/clock.ts';
import type { SiteView } from '../../storage/site-view.ts';
import type { EmailComposer } from '../emails/email-composer.ts';
import type { Change } from '../events/change.ts';
import { recordKnownBrowser } from '../known-browsers/known-browsers.ts';
import { countsOfChange } from '../members/member.ts';
import { markLoggedIn, markMemberSeen } from '../members/member-lookup.ts';
import { findFormResponse, type SentForm, saveFormResponse } from '../sessions/form-responses.ts';
import {
  type Browser,
  isOpenedByEmail,
  type LoginMethod,
  type SessionLifetime,
} from '../sessions/session.ts';
import { endSession, findSession, openSession } from '../sessions/sessions.ts';
import { loginSurfaceOf } from '../sites/site.ts';
import { findPrimarySite, findSiteAt } from '../sites/visited-hosts.ts';
import type { VisitedSite } from '../sites/visited-site.ts';
import { notifyOperator } from './operator-notices.ts';
import { notifyOfPasskey } from './passkey-notices.ts';
import { limitSessions, notifyEndedSessions } from './session-limit.ts';
import { removeUnprovenWaysIn } from './unproven-ways-in.ts';

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

/**
 * What came of a login with which somebody wanted to join, and which opened no session: the request to join was sent, or too
 * many wait; or the invitation has ended meanwhile.
 */
export interface JoinOutcome {
  readonly outcome: 'requested' | 'queue_full' | 'invitation_ended';
}

/** A login that is answered once, and again if its form is sent twice. */
export type AnsweredLogin = SuccessfulLogin | JoinOutcome;

export type Login =
  | AnsweredLogin
  | { readonly outcome: 'expired' }
  | { readonly outcome: 'wrong_code' }
  /** The browser did not send the cookie of the page. Nothing was used up. */
  | { readonly outcome: 'cookie_missing' };

interface UsedName {
  readonly id: string;
  readonly name: string;
}

/** How somebody has proved who they are. The proof has been consumed, so that it works once. */
export interface LoginProof {
  readonly method: LoginMethod;
  /** The path on the site to continue to. */
  readonly next: string;
  /** For the event: what was used, by its name. */
  readonly passkey?: UsedName | null;
  readonly provider?: UsedName | null;
  /** When the session ends at the latest; null if only the general limits apply. */
  readonly sessionEndsAt?: Timestamp | null;
  /** Where and in which language the login was requested, if elsewhere than in this browser: for emails about it. */
  readonly request?: { readonly origin: string | null; readonly language: string };
  /** As in `SuccessfulLogin`. */
  readonly otherSessionIds?: readonly string[];
  /** Stores what the method has to remember of the session. */
  readonly onSession?: (sessionId: string) => Promise<void>;
}

/**
 * Logs in a member whose row is locked, whatever the proof was. The only way to open a session: it rejects members who are
 * not active, replaces the session that the browser had, applies the limit of sessions, stores the known browser, records
 * the event, sends the emails about the login, and stores the result for the case that the browser sends its form again.
 * @param member undefined if the proof is of no one
 */
export async function completeLogin(
  change: Change,
  member: Member | undefined,
  proof: LoginProof,
  browser: LoginBrowser,
  composer: EmailComposer,
): Promise<Login> {
  if (member?.status !== 'active') return { outcome: 'expired' };
  const { next, otherSessionIds = [], onSession } = proof;
  const site = await findPrimarySite(change);
  const opened = await openMemberSession(change, site, member, proof, browser);
  const { sessionId, cookies } = opened;
  await onSession?.(sessionId);
  await sendNotices(change, site, opened, proof, browser, composer);
  const login: SuccessfulLogin = { outcome: 'logged_in', cookies, next, otherSessionIds };
  await saveFormResponse(change, browser.form, sessionId, login);
  return login;
}

/** Ends a login that opens no session, and stores the result for the case that the browser sends its form again. */
export async function answerJoining(
  change: Change,
  { outcome }: JoinOutcome,
  { form }: LoginBrowser,
): Promise<JoinOutcome> {
  await saveFormResponse<AnsweredLogin>(change, form, null, { outcome });
  return { outcome };
}

/**
 * The login of a form that this browser has just sent; undefined if there was none, or its session has ended. A browser that
 * sends a form twice drops the first response with its cookies, so the second response has the same ones.
 */
export function findRepeatedLogin(view: SiteView, form: SentForm | null): Promise<AnsweredLogin | undefined> {
  return findFormResponse<AnsweredLogin>(view, form);
}

interface OpenedLogin {
  readonly member: Member;
  readonly sessionId: string;
  readonly cookies: LoginCookies;
  /** How many older sessions ended because the member had too many. */
  readonly evicted: number;
  /** Whether the member had not logged in in this browser before. */
  readonly isNewBrowser: boolean;
  /** Whether passkeys were removed because the address was not verified until now. */
  readonly removedPasskeys: boolean;
}

async function openMemberSession(
  change: Change,
  site: VisitedSite,
  member: Member,
  { method, passkey = null, provider = null, sessionEndsAt = null }: LoginProof,
  browser: LoginBrowser,
): Promise<OpenedLogin> {
  // Only an email proves the address. Operators log in with passkeys too.
  const isOperator = loginSurfaceOf(site) === 'operators';
  const provesAddress = isOpenedByEmail({ method }) || isOperator;
  const own = change.as(actorOf(member));
  const verifies = !member.verified && isOpenedByEmail({ method });
  const removedPasskeys = verifies && (await removeUnprovenWaysIn(own, site, member));
  await (provesAddress ? markLoggedIn : markMemberSeen)(change, member.id);
  const { session, token } = await openSession(
    own,
    member.id,
    browser,
    method,
    sessionEndsAt,
    browser.lifetime,
  );
  own.record({
    type: 'member.login',
    memberId: member.id,
    data: { memberId: member.id, sessionId: session.id, method, passkey, provider },
    counts: countsOfChange(member, provesAddress ? { ...member, verified: true } : member),
  });
  // First the session that the browser had, which does not count.
  await endSessionBefore(change, browser.sessionToken, member);
  const evicted = await limitSessions(own, site, member.id);
  const { deviceCookie, isNew } = await recordKnownBrowser(change, member.id, browser.deviceCookie);
  const cookies = { sessionToken: token, deviceCookie };
  return { member, sessionId: session.id, cookies, evicted, isNewBrowser: isNew, removedPasskeys };
}

/**
 * Emails an operator about a login in a new browser, except about the first login of all, and a member about older
 * sessions that have ended, and passkeys that were removed.
 */
async function sendNotices(
  change: Change,
  site: VisitedSite,
  { member, isNewBrowser, evicted, removedPasskeys }: OpenedLogin,
  { request }: LoginProof,
  { userAgent, ipAddress, language }: LoginBrowser,
  composer: EmailComposer,
): Promise<void> {
  if (loginSurfaceOf(site) === 'operators') {
    if (!isNewBrowser || member.lastLoginAt === null) return;
    const notice = { type: 'new_browser', userAgent, ipAddress } as const;
    await notifyOperator(change, member, notice, language, composer);
    return;
  }
  if (removedPasskeys) {
    const notice = { type: 'passkey_removed', name: null } as const;
    await notifyOfPasskey(change, site, member, notice, language, composer);
  }
  if (evicted > 0) {
    const there = request?.origin ? await findSiteAt(change, request.origin) : site;
    await notifyEndedSessions(change, there, member, request?.language ?? language, composer);
  }
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
