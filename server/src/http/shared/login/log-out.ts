import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { loginUrl } from '../../../domain/sites/site-addresses.ts';
import { furtherHostOf } from '../../../domain/sites/visited-site.ts';
import { messagePage } from '../../../pages/pages.ts';
import {
  act,
  type Fields,
  one,
  type PageParts,
  pageFrame,
  sendPage,
  sessionTokenOf,
  setCookie,
} from '../page-request.ts';

/** The logout route. */
export function addLogOut(pages: FastifyInstance, parts: PageParts): void {
  pages.post('/logout', async (request, reply) => {
    await act(parts, request, 'endSession', {
      sessionToken: sessionTokenOf(request),
      furtherHost: furtherHostOf(request.site!),
      sessionId: null,
    });
    const next = one((request.body as Fields | undefined)?.next);
    if (next === undefined) return sendLoggedOut(request, reply);
    // The visitor logs in with another address and then returns to the page where access was denied.
    setCookie(reply, 'session', request.site!, null, 0);
    return reply.redirect(loginUrl(request.site!, next), 303);
  });
}

export function sendLoggedOut(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  setCookie(reply, 'session', request.site!, null, 0);
  return sendPage(reply, messagePage(pageFrame(request), { kind: 'logged_out' }));
}
