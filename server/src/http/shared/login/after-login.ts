import type { Site } from '@gatehouse/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { findVisitor } from '../../../domain/access-rules/visitor.ts';
import { findLoginRequest } from '../../../domain/logins/email-login.ts';
import { findRepeatedLogin, type SuccessfulLogin } from '../../../domain/logins/login.ts';
import type { SentForm } from '../../../domain/sessions/form-responses.ts';
import { originOf } from '../../../domain/sites/site.ts';
import { pagesOf } from '../../../domain/sites/site-addresses.ts';
import { findSite } from '../../../domain/sites/sites.ts';
import { invalidLinkPage } from '../../../pages/pages.ts';
import { pageFrame, sendPage } from '../pages/page-response.ts';
import { sessionTokenOf, setSessionCookie } from '../requests/page-cookies.ts';
import { isFromServiceWorker } from '../requests/page-navigation.ts';
import { type PageParts, viewOf } from '../requests/page-parts.ts';
import { readCookie } from '../requests/site-request.ts';
import { otherSessionsPath } from './other-sessions.ts';

/**
 * Sets the session cookie and redirects the browser to the requested page, or first to the one about other sessions,
 * which is not shown through a service worker.
 */
export function redirectAfterLogin(
  parts: PageParts,
  reply: FastifyReply,
  site: Site,
  login: SuccessfulLogin,
): FastifyReply {
  setSessionCookie(parts, reply, site, login);
  const { otherSessionIds, next } = login;
  const showsOthers = otherSessionIds.length > 0 && !isFromServiceWorker(reply.request.headers);
  const path = showsOthers ? otherSessionsPath(site, otherSessionIds, next) : next;
  return reply.redirect(originOf(site)! + path, 303);
}

/** The login of this browser, if it has just logged in with the same form, and the site has not been suspended since. */
export async function loginBefore(
  parts: PageParts,
  request: FastifyRequest,
  form: SentForm | null,
): Promise<SuccessfulLogin | undefined> {
  const view = viewOf(parts, request);
  const login = await findRepeatedLogin(view, form);
  return login && (await findSite(view)).status === 'active' ? login : undefined;
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
