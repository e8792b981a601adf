import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { findPendingIdentity } from '../../../domain/provider-logins/pending-identities.ts';
import { checkNext } from '../../../domain/sites/next-path.ts';
import { memberPages, passkeyOfferPath } from '../../../domain/sites/page-addresses.ts';
import { originOf } from '../../../domain/sites/site.ts';
import { linkAccountPage } from '../../../pages/pages.ts';
import { pathOverOtherSessions, sessionIdsOf } from '../../shared/login/other-sessions.ts';
import { pageFrame, sendPage } from '../../shared/pages/page-response.ts';
import { act, attempt } from '../../shared/requests/page-action.ts';
import { sessionTokenOf, setCookie } from '../../shared/requests/page-cookies.ts';
import { type PageParts, viewOf } from '../../shared/requests/page-parts.ts';
import { type Fields, one, onlyAsPage } from '../../shared/requests/page-request.ts';
import { readCookie } from '../../shared/requests/site-request.ts';
import { formKeyOf, ownFormOf } from '../form-key.ts';
import { sendLinkingResult } from './provider-failure.ts';

/** The page after a login by email that asks whether to link the account with which a login was begun in this browser. */
export function addLinkAccountPages(pages: FastifyInstance, parts: PageParts): void {
  pages.get('/link-account', onlyAsPage, async (request, reply) => {
    const waiting = await findWaiting(parts, request);
    const fields = request.query as Fields;
    if (!waiting) return sendToNext(request, reply, fields);
    const { next, sessionIds } = destinationOf(request, fields);
    const shown = { ...waiting, next, sessionIds, formKey: formKeyOf(request) };
    return sendPage(reply, linkAccountPage(pageFrame(request), shown));
  });

  pages.post('/link-account', ownFormOf(parts), async (request, reply) => {
    const fields = (request.body as Fields | undefined) ?? {};
    const sessionToken = sessionTokenOf(request);
    const browserToken = readCookie(request.raw, 'login', request.site!);
    setCookie(reply, 'login', request.site!, null, 0);
    if (one(fields.answer) !== 'link') {
      await act(parts, request, 'declinePendingIdentity', { browserToken });
      return sendToNext(request, reply, fields);
    }
    const { language } = pageFrame(request);
    const input = { sessionToken, browserToken, language };
    const linked = await attempt(parts, request, 'linkPendingIdentity', input, ['logged_out']);
    const isRefused = linked.kind === 'success' && !linked.result;
    return isRefused ? sendLinkingResult(reply, 'taken') : sendToNext(request, reply, fields);
  });
}

/** The account that waits in this browser for the member who has logged in. */
async function findWaiting(
  parts: PageParts,
  request: FastifyRequest,
): Promise<{ readonly provider: string; readonly account: string; readonly email: string } | undefined> {
  const site = request.site!;
  if (!site.hasLoginProviders) return undefined;
  const browserToken = readCookie(request.raw, 'login', site);
  const found = await findPendingIdentity(viewOf(parts, request), browserToken, sessionTokenOf(request));
  return found && { provider: found.providerName, account: found.label, email: found.email };
}

/** Where the login leads afterwards. */
function destinationOf(request: FastifyRequest, { next, id }: Fields) {
  const origin = originOf(request.site!)!;
  const [path, query] = (one(next) ?? '').split('?');
  // The page that offers a passkey after a login, on which no login ends otherwise.
  if (path !== passkeyOfferPath(memberPages.front)) {
    return { next: checkNext(one(next), origin), sessionIds: sessionIdsOf(id) };
  }
  const last = new URLSearchParams(query).get('next') ?? undefined;
  return { next: passkeyOfferPath(checkNext(last, origin)), sessionIds: [] };
}

function sendToNext(request: FastifyRequest, reply: FastifyReply, fields: Fields): FastifyReply {
  const site = request.site!;
  const { next, sessionIds } = destinationOf(request, fields);
  return reply.redirect(originOf(site)! + pathOverOtherSessions(site, sessionIds, next), 303);
}
