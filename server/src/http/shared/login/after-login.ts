import type { Site } from '@gatehouse/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { findVisitor } from '../../../domain/access-rules/visitor.ts';
import type { Login } from '../../../domain/logins/login.ts';
import { originOf } from '../../../domain/sites/site.ts';
import { pagesOf } from '../../../domain/sites/site-addresses.ts';
import { invalidLinkPage } from '../../../pages/pages.ts';
import { type PageParts, pageFrame, sendPage, sessionTokenOf, setSessionCookie } from '../page-request.ts';

/** Sets the session cookie and redirects the browser to the requested page. */
export function redirectAfterLogin(
  reply: FastifyReply,
  site: Site,
  login: Extract<Login, { outcome: 'in' }>,
): FastifyReply {
  setSessionCookie(reply, site, login);
  return reply.redirect(originOf(site)! + login.next, 303);
}

/**
 * Says that a link is no longer valid. A visitor who is already logged in, perhaps by this very link, is redirected.
 */
export async function sendInvalidLink(
  { database, clock }: PageParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const site = request.site!;
  const { front } = pagesOf(site);
  const visitor = await findVisitor(database, site.id, sessionTokenOf(request), clock().toISOString());
  if (visitor?.status === 'active') return reply.redirect(originOf(site)! + front, 303);
  return sendPage(reply, invalidLinkPage(pageFrame(request), { next: front }), 410);
}
