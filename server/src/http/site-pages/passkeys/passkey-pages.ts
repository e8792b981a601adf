import type { FastifyInstance, FastifyReply } from 'fastify';
import { isUuid } from '../../../base/ids.ts';
import { findVisitor } from '../../../domain/access-rules/visitor.ts';
import { offersPasskeys } from '../../../domain/passkeys/passkey.ts';
import { listPasskeys } from '../../../domain/passkeys/passkeys.ts';
import { isRecentLoginByEmail } from '../../../domain/sessions/session.ts';
import { checkNext } from '../../../domain/sites/next-path.ts';
import { memberPages } from '../../../domain/sites/page-addresses.ts';
import { originOf } from '../../../domain/sites/site.ts';
import { loginUrl } from '../../../domain/sites/site-addresses.ts';
import { addPasskeyScript, passkeyOfferPage, passkeyOfferScript } from '../../../pages/pages.ts';
import { addScript } from '../../shared/pages/page-assets.ts';
import { allowRequests, pageFrame, sendPage } from '../../shared/pages/page-response.ts';
import { attempt } from '../../shared/requests/page-action.ts';
import { sessionTokenOf } from '../../shared/requests/page-cookies.ts';
import { type PageParts, viewOf } from '../../shared/requests/page-parts.ts';
import { type Fields, one, onlyAsPage } from '../../shared/requests/page-request.ts';
import { formKeyOf, ownFormOf } from '../form-key.ts';
import { suggestedNameOf } from './account-passkeys.ts';

const { prefix } = memberPages;

/** The pages about passkeys that need no script. */
export function addPasskeyPages(pages: FastifyInstance, parts: PageParts): void {
  const ownForm = ownFormOf(parts);
  addScript(pages, addPasskeyScript);
  addScript(pages, passkeyOfferScript);

  pages.get('/passkeys/offer', onlyAsPage, async (request, reply) => {
    const site = request.site!;
    const next = checkNext(one((request.query as Fields).next), originOf(site)!);
    const view = viewOf(parts, request);
    const visitor = await findVisitor(view, sessionTokenOf(request));
    if (visitor?.status !== 'active') return reply.redirect(loginUrl(site, next), 303);
    const canAdd = offersPasskeys(site) && isRecentLoginByEmail(visitor.session, view.now);
    const hasAny = site.hasPasskeys && (await listPasskeys(view, visitor.memberId)).length > 0;
    if (!canAdd || hasAny) {
      return reply.redirect(originOf(site)! + next, 303);
    }
    allowRequests(reply);
    const shown = { formKey: formKeyOf(request), suggestedName: suggestedNameOf(request), next };
    return sendPage(reply, passkeyOfferPage(pageFrame(request), shown));
  });

  pages.post('/passkeys/delete', ownForm, async (request, reply) => {
    const passkeyId = one((request.body as Fields | undefined)?.id) ?? '';
    if (!isUuid(passkeyId)) return toAccount(reply);
    const { language } = pageFrame(request);
    const input = { sessionToken: sessionTokenOf(request), passkeyId: passkeyId.toLowerCase(), language };
    const expected = ['logged_out', 'passkey_not_found'] as const;
    const removed = await attempt(parts, request, 'deleteOwnPasskey', input, expected);
    return toAccount(reply, removed.kind === 'success' ? '?saved=passkey-removed' : '');
  });

  pages.post('/passkeys/delete-all', ownForm, async (request, reply) => {
    const input = { sessionToken: sessionTokenOf(request), language: pageFrame(request).language };
    const removed = await attempt(parts, request, 'deleteOwnPasskeys', input, ['logged_out']);
    return toAccount(reply, removed.kind === 'success' ? '?saved=passkeys-removed' : '');
  });
}

function toAccount(reply: FastifyReply, note = ''): FastifyReply {
  return reply.redirect(`${prefix}/account${note}`, 303);
}
