import type { Timestamp } from '../../base/clock.ts';
import type { SiteView } from '../../storage/site-view.ts';
import type { EmailComposer } from '../emails/email-composer.ts';
import type { Change } from '../events/change.ts';
import { hashCode, isSameHash, readCode } from '../login-links/login-code.ts';
import {
  codeLogsIn,
  type Joining,
  linkEnd,
  maxCodeTries,
  type StoredLoginLink,
} from '../login-links/login-link.ts';
import {
  countCodeTry,
  findLinkByBrowser,
  findLinkByToken,
  findSessionsOfLinks,
  keepCodes,
  lockOpenLinks,
  useUpLink,
} from '../login-links/login-links.ts';
import { lockMemberByEmail } from '../members/member-lookup.ts';
import { hashToken, isToken } from '../sessions/token.ts';
import { arrive, type EnteredTexts, findRequestOf, isJoining, withTexts } from './arrivals.ts';
import { closeEveryLink, closeEveryOtherLink, hasRequestedLink } from './closing-links.ts';
import { answerJoining, completeLogin, type Login, type LoginBrowser } from './login.ts';

/** A link, as shown on the confirmation page before the login. */
export interface WaitingLink {
  readonly email: string;
  /** Whether this browser requested the link. */
  readonly sameBrowser: boolean;
  /** What the link asks the team of the site for, which the person can still change; null if it logs in. */
  readonly joinRequest: Joining | null;
  /** Whether it was requested on a page on which people join. */
  readonly isJoining: boolean;
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
  return {
    email: link.email,
    sameBrowser,
    joinRequest: await findRequestOf(view, link),
    isJoining: link.joining !== null,
  };
}

/** A login request of a browser. */
export interface PendingLoginRequest {
  readonly email: string;
  readonly next: string;
  /** The known browser of the member with this address; null for any other browser. */
  readonly knownBrowserId: string | null;
  /** Whether its code can still be entered. */
  readonly codeWorks: boolean;
  /** Null for an ordinary login. */
  readonly joining: Joining | null;
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
    joining: loginRequest.joining,
  };
}

/**
 * Uses a link, which works once.
 * @param entered what a person who asks to join entered on the page of the link; null without its fields
 */
export async function consumeLoginLink(
  change: Change,
  token: string,
  browser: LoginBrowser,
  entered: EnteredTexts | null,
  composer: EmailComposer,
): Promise<Login> {
  if (!isToken(token)) return { outcome: 'expired' };
  const found = await findLinkByToken(change, hashToken(token));
  if (!found) return { outcome: 'expired' };
  const link = entered ? withTexts(found, entered) : found;
  return logIn(change, link, 'link', browser, composer);
}

/** Uses the code of an email in the browser that requested it. It is invalid after five wrong attempts. */
export async function consumeLoginCode(
  change: Change,
  typed: string,
  browser: LoginBrowser,
  composer: EmailComposer,
): Promise<Login> {
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
  const link = await countCodeTry(change, hashToken(loginToken));
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
  if (browser.form === null && (await isJoining(change, link, known))) return { outcome: 'cookie_missing' };
  await lockOpenLinks(change, [link.email]);
  const otherSessionIds = await findSessionsOfLinks(change, link.email);
  if (!(await useUpLink(change, link.id, method))) return { outcome: 'expired' };
  const requestedHere = method === 'code' || (await hasRequestedLink(change, link.email, browser));
  const codes = requestedHere ? await closeEveryLink(change, link) : await closeEveryOtherLink(change, link);
  const isOfLink = link.memberId === null || link.memberId === known?.id;
  const arrival = isOfLink ? await arrive(change, link, known) : { member: undefined };
  if ('outcome' in arrival) return answerJoining(change, arrival, browser);
  const proof = {
    method,
    next: link.next,
    sessionEndsAt: link.sessionEndsAt,
    request: link,
    otherSessionIds: requestedHere ? otherSessionIds : [],
    onSession: (sessionId: string) => keepCodes(change, codes, sessionId),
  };
  return completeLogin(change, arrival.member, proof, browser, composer);
}
