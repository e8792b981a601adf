import type { EventData, Site } from '@gatehouse/contract';
import type { Cause } from '../base/cause.ts';
import type { Timestamp } from '../base/clock.ts';
import { rememberBrowser } from '../credentials/known-browsers.ts';
import type { LoginLinkRow } from '../credentials/login-link.ts';
import { mostCodeTries } from '../credentials/login-link.ts';
import {
  closeLinksOfEmail,
  closeLoginLink,
  countCodeTry,
  lockOpenLinks,
  selectLinkByBrowser,
  selectLinkByToken,
} from '../credentials/login-link-store.ts';
import type { Browser } from '../credentials/session.ts';
import { endSession, findSession, openSession } from '../credentials/sessions.ts';
import { hashToken, isToken } from '../credentials/token.ts';
import type { NewEvent } from '../events/event.ts';
import { recordEvents } from '../events/events.ts';
import { withdrawMailsOfLinks } from '../mail/mails.ts';
import type { MemberRow } from '../members/member.ts';
import { lockMemberByEmail, markLoggedIn } from '../members/member-store.ts';
import { findSite } from '../sites/sites.ts';
import type { Queries, Transaction } from '../storage/database.ts';
import { linkEnd } from './asks.ts';
import { hashCode, isSameHash, readCode } from './code.ts';
import { enrol, mayEnrol } from './sign-up.ts';

/** A link as the page before the login shows it. */
export interface WaitingLink {
  readonly email: string;
  /** Whether this is the browser that asked for it. */
  readonly sameBrowser: boolean;
}

/** Looks at a link without using it. Undefined for one that does not work, or no longer. */
export async function findWaitingLink(
  db: Queries,
  siteId: string,
  token: string,
  browserToken: string | undefined,
  now: Timestamp,
): Promise<WaitingLink | undefined> {
  if (!isToken(token)) return undefined;
  const link = await selectLinkByToken(db, siteId, hashToken(token), now);
  if (!link) return undefined;
  const sameBrowser = isToken(browserToken) && link.browser_hash === hashToken(browserToken);
  return { email: link.email, sameBrowser };
}

/** What a browser asked for. */
export interface LoginRequest {
  readonly email: string;
  readonly next: string;
  /** The known browser that it is for the member with this address; null otherwise. */
  readonly knownBrowserId: string | null;
  /** Whether its code can still be typed. */
  readonly codeWorks: boolean;
}

/** What a browser asked for last. */
export async function findAsk(
  db: Queries,
  siteId: string,
  browserToken: string | undefined,
  now: Timestamp,
): Promise<LoginRequest | undefined> {
  if (!isToken(browserToken)) return undefined;
  const ask = await selectLinkByBrowser(db, siteId, hashToken(browserToken));
  if (!ask) return undefined;
  const codeWorks = ask.tries < mostCodeTries && !isOld(ask, now);
  return { email: ask.email, next: ask.next_path, knownBrowserId: ask.known_browser_id, codeWorks };
}

/** Where somebody logs in, with what this browser holds already: a session, and the device cookie of a known browser. */
export interface LoginBrowser extends Browser {
  readonly sessionToken: string | null;
  readonly deviceCookie: string | null;
}

/** What a browser is given when somebody logs in with it. */
export interface LoginCookies {
  readonly sessionToken: string;
  readonly deviceCookie: string;
}

export type Login =
  | { readonly outcome: 'in'; readonly cookies: LoginCookies; readonly next: string }
  | { readonly outcome: 'dead' }
  | { readonly outcome: 'wrong_code' };

/** Uses a link, which works once. */
export async function consumeLoginLink(
  tx: Transaction,
  siteId: string,
  token: string,
  browser: LoginBrowser,
  cause: Cause,
): Promise<Login> {
  if (!isToken(token)) return { outcome: 'dead' };
  const link = await selectLinkByToken(tx, siteId, hashToken(token), cause.at);
  return link ? logIn(tx, siteId, link, 'link', browser, cause) : { outcome: 'dead' };
}

/** Uses the code of a mail in the browser that asked for it. After five wrong tries it is dead. */
export async function consumeLoginCode(
  tx: Transaction,
  siteId: string,
  browserToken: string | undefined,
  typed: string,
  browser: LoginBrowser,
  cause: Cause,
): Promise<Login> {
  if (!isToken(browserToken)) return { outcome: 'dead' };
  const code = readCode(typed);
  // What cannot be a code is a slip of the finger, and no try.
  if (code === undefined) return { outcome: 'wrong_code' };
  const ask = await selectLinkByBrowser(tx, siteId, hashToken(browserToken));
  if (!ask) return { outcome: 'dead' };
  // The member before the link: that is the order of locks everywhere.
  await lockMemberByEmail(tx, siteId, ask.email);
  await lockOpenLinks(tx, siteId, [ask.email]);
  const link = await countCodeTry(tx, siteId, hashToken(browserToken), cause.at);
  if (!link) return { outcome: 'dead' };
  const right = isSameHash(hashCode(code, browserToken), link.code_hash!);
  // The ask of somebody who may not come in has no token: no code opens it, and each is answered as a wrong one.
  if (right && link.token_hash !== null) return logIn(tx, siteId, link, 'code', browser, cause);
  return { outcome: link.tries >= mostCodeTries || isOld(link, cause.at) ? 'dead' : 'wrong_code' };
}

/**
 * Whether a browser is told that its time is over. It is counted from the ask: a mail gives a link more time, and only
 * those who may come in get one, which nobody is to learn from when a code dies.
 */
function isOld({ created_at }: LoginLinkRow, now: Timestamp): boolean {
  return linkEnd(created_at) <= now;
}

async function logIn(
  tx: Transaction,
  siteId: string,
  link: LoginLinkRow,
  method: 'link' | 'code',
  browser: LoginBrowser,
  cause: Cause,
): Promise<Login> {
  const known = await lockMemberByEmail(tx, siteId, link.email);
  await lockOpenLinks(tx, siteId, [link.email]);
  if (!(await closeLoginLink(tx, siteId, link.id))) return { outcome: 'dead' };
  const others = await closeLinksOfEmail(tx, siteId, link.email);
  await withdrawMailsOfLinks(tx, siteId, [link.id, ...others], cause.at);
  const member = known ?? (await enrolled(tx, siteId, link, cause));
  if (member?.status !== 'active' || (link.member_id !== null && link.member_id !== member.id)) {
    return { outcome: 'dead' };
  }
  return {
    outcome: 'in',
    cookies: await letMemberIn(tx, siteId, member, method, browser, cause),
    next: link.next_path,
  };
}

/** Opens a session for a member whose row is locked, in place of the one that the browser had. */
export async function letMemberIn(
  tx: Transaction,
  siteId: string,
  member: Pick<MemberRow, 'id' | 'display_name'>,
  method: EventData['member.login']['method'],
  browser: LoginBrowser,
  cause: Cause,
): Promise<LoginCookies> {
  await markLoggedIn(tx, siteId, member.id, cause.at);
  const replaced = await endSessionBefore(tx, siteId, browser.sessionToken, cause.at);
  const opened = await openSession(tx, siteId, member.id, browser, cause.at);
  const deviceCookie = await rememberBrowser(tx, siteId, member.id, browser.deviceCookie, cause.at);
  await recordEvents(tx, siteId, asMember(cause, member), [
    {
      type: 'member.login',
      memberId: member.id,
      data: { memberId: member.id, sessionId: opened.session.id, method },
    },
    ...opened.events,
  ]);
  // Among the events of another member, who was logged in there, a name would outlive its bearer.
  const isOwn = replaced.every(({ memberId }) => memberId === member.id);
  await recordEvents(
    tx,
    siteId,
    asMember(cause, isOwn ? member : { ...member, display_name: null }),
    replaced,
  );
  return { sessionToken: opened.token, deviceCookie };
}

async function enrolled(
  tx: Transaction,
  siteId: string,
  link: LoginLinkRow,
  cause: Cause,
): Promise<Pick<MemberRow, 'id' | 'status' | 'display_name'> | undefined> {
  const site: Site = await findSite(tx, siteId);
  if (link.member_id !== null || !mayEnrol(site, link.email)) return undefined;
  const member = await enrol(tx, site, link.email, {
    ...cause,
    actor: { type: 'member', id: null, name: null },
  });
  return member
    ? { id: member.id, status: member.status, display_name: null }
    : lockMemberByEmail(tx, siteId, link.email);
}

/** A browser keeps one session: every login opens a new one, and the old one is over. */
async function endSessionBefore(
  tx: Transaction,
  siteId: string,
  token: string | null,
  at: Timestamp,
): Promise<NewEvent[]> {
  const session = await findSession(tx, siteId, token, at);
  if (!session) return [];
  return endSession(tx, siteId, session.memberId, session.id, 'replaced', at);
}

function asMember(cause: Cause, member: Pick<MemberRow, 'id' | 'display_name'>): Cause {
  return { ...cause, actor: { type: 'member', id: member.id, name: member.display_name } };
}
