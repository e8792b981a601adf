import type { FastifyReply, FastifyRequest } from 'fastify';
import { findVisitor } from '../../../domain/access-rules/visitor.ts';
import { findLoginRequest } from '../../../domain/logins/email-login.ts';
import {
  type AnsweredLogin,
  findRepeatedLogin,
  type Login,
  type SuccessfulLogin,
} from '../../../domain/logins/login.ts';
import { findPendingIdentity } from '../../../domain/provider-logins/pending-identities.ts';
import type { SentForm } from '../../../domain/sessions/form-responses.ts';
import { mayRequestToJoin } from '../../../domain/sign-up/sign-up.ts';
import { originOf } from '../../../domain/sites/site.ts';
import { pagesOf } from '../../../domain/sites/site-addresses.ts';
import { findSite } from '../../../domain/sites/sites.ts';
import { invalidLinkPage, type JoinOutcomePage, joinOutcomePage } from '../../../pages/pages.ts';
import { pageFrame, sendPage } from '../pages/page-response.ts';
import { sessionTokenOf, setSessionCookie } from '../requests/page-cookies.ts';
import { isFromServiceWorker } from '../requests/page-navigation.ts';
import { type PageParts, viewOf } from '../requests/page-parts.ts';
import { readCookie } from '../requests/site-request.ts';
import { rememberWay } from './offered-providers.ts';
import { linkAccountPath, pathOverOtherSessions } from './other-sessions.ts';

/**
 * Sets the session cookie and redirects the browser to the requested page, or first to those about an account elsewhere and
 * about other sessions, which are not shown through a service worker.
 */
async function redirectAfterLogin(
  parts: PageParts,
  request: FastifyRequest,
  reply: FastifyReply,
  login: SuccessfulLogin,
  providerId: string | null,
): Promise<FastifyReply> {
  const site = request.site!;
  const showsPages = !isFromServiceWorker(request.headers);
  const offersLinking = showsPages && providerId === null && (await canLinkPending(parts, request, login));
  setSessionCookie(parts, reply, site, login, { keepsLoginCookie: offersLinking });
  if (site.hasLoginProviders) rememberWay(request, reply, providerId);
  const { next } = login;
  const otherSessionIds = showsPages ? login.otherSessionIds : [];
  const path = offersLinking
    ? linkAccountPath(otherSessionIds, next)
    : pathOverOtherSessions(site, otherSessionIds, next);
  return reply.redirect(originOf(site)! + path, 303);
}

/** Whether the member who has logged in may link an account with which a login was begun in this browser. */
async function canLinkPending(
  parts: PageParts,
  request: FastifyRequest,
  { cookies }: SuccessfulLogin,
): Promise<boolean> {
  if (!request.site!.hasLoginProviders) return false;
  const browserToken = readCookie(request.raw, 'login', request.site!);
  return (
    (await findPendingIdentity(viewOf(parts, request), browserToken, cookies.sessionToken)) !== undefined
  );
}

/** What this browser got for the same form a moment ago, if the site has not been suspended since. */
export async function loginBefore(
  parts: PageParts,
  request: FastifyRequest,
  form: SentForm | null,
): Promise<AnsweredLogin | undefined> {
  const view = viewOf(parts, request);
  const login = await findRepeatedLogin(view, form);
  return login && (await findSite(view)).status === 'active' ? login : undefined;
}

/** Whether a login has an answer of its own, which a form that is sent twice gets twice. */
export function isAnswered(login: Login): login is AnsweredLogin {
  return !['expired', 'wrong_code', 'cookie_missing'].includes(login.outcome);
}

/**
 * Sends the page about a request to join, or leads to the page of the site.
 * @param providerId where somebody logged in with an account; null for a login by email
 */
export async function sendAnswer(
  parts: PageParts,
  request: FastifyRequest,
  reply: FastifyReply,
  login: AnsweredLogin,
  providerId: string | null = null,
): Promise<FastifyReply> {
  return login.outcome === 'logged_in'
    ? redirectAfterLogin(parts, request, reply, login, providerId)
    : sendJoinOutcome(request, reply, login.outcome);
}

const statuses = {
  requested: 200,
  queue_full: 503,
  invitation_ended: 410,
  other_address: 403,
  cookie_missing: 400,
} as const;

/** Says what came of joining. */
export function sendJoinOutcome(
  request: FastifyRequest,
  reply: FastifyReply,
  kind: JoinOutcomePage['kind'],
): FastifyReply {
  const canRequest = mayRequestToJoin(request.site!, true);
  return sendPage(reply, joinOutcomePage(pageFrame(request), { kind, canRequest }), statuses[kind]);
}

/**
 * Says that a link is no longer valid. A visitor who is already logged in, perhaps by this very link, is redirected.
 */
export async function sendInvalidLink(
  parts: PageParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const site = request.site!;
  const { front } = pagesOf(site);
  const view = viewOf(parts, request);
  const visitor = await findVisitor(view, sessionTokenOf(request));
  if (visitor?.status === 'active') return reply.redirect(originOf(site)! + front, 303);
  const loginRequest = await findLoginRequest(view, readCookie(request.raw, 'login', site));
  const shown = { next: front, canEnterCode: loginRequest?.codeWorks === true };
  return sendPage(reply, invalidLinkPage(pageFrame(request), shown), 410, 'link.refused');
}
