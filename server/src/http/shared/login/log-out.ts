import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { loginSurfaceOf } from '../../../domain/sites/site.ts';
import { loginUrl } from '../../../domain/sites/site-addresses.ts';
import { findSiteOfPages } from '../../../domain/sites/visited-hosts.ts';
import { furtherHostOf } from '../../../domain/sites/visited-site.ts';
import { messagePage } from '../../../pages/pages.ts';
import { pageFrame, sendPage } from '../pages/page-response.ts';
import { attempt } from '../requests/page-action.ts';
import { sessionTokenOf, setCookie } from '../requests/page-cookies.ts';
import type { PageParts } from '../requests/page-parts.ts';
import { type Fields, one, onlyPressed } from '../requests/page-request.ts';

/** The logout route. */
export function addLogOut(pages: FastifyInstance, parts: PageParts): void {
  pages.post('/logout', onlyPressed, async (request, reply) => {
    const input = {
      sessionToken: sessionTokenOf(request),
      furtherHost: furtherHostOf(request.site!),
      sessionId: null,
    };
    await attempt(parts, request, 'endSession', input, ['logged_out', 'session_not_found']);
    await clearSiteData(parts, request, reply);
    const next = one((request.body as Fields | undefined)?.next);
    if (next === undefined) return sendLoggedOut(request, reply);
    // The visitor logs in with another address and then returns to the page where access was denied.
    setCookie(reply, 'session', request.site!, null, 0);
    return reply.redirect(loginUrl(request.site!, next), 303);
  });
}

/**
 * Lets browsers delete what the dashboard has stored in them (Clear Site Data, section 3.1). Only that: `"cookies"` would
 * log out of every program on the domain, `"cache"` stops Chrome for seconds and nothing is cached, and members log out at
 * an address whose storage belongs to the site.
 */
export async function clearSiteData(
  { database }: PageParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const site = request.site!;
  if (loginSurfaceOf(site) !== 'operators' || site.scheme !== 'https') return;
  if ((await findSiteOfPages(database, site.domain!)) === undefined) {
    reply.header('clear-site-data', '"storage"');
  }
}

export function sendLoggedOut(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  setCookie(reply, 'session', request.site!, null, 0);
  return sendPage(reply, messagePage(pageFrame(request), { kind: 'logged_out' }));
}
