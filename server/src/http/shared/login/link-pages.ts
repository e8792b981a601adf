import type { FastifyInstance } from 'fastify';
import { findWaitingLink } from '../../../domain/logins/email-login.ts';
import { pagesOf } from '../../../domain/sites/site-addresses.ts';
import { confirmLoginPage } from '../../../pages/pages.ts';
import { pageFrame, sendPage } from '../pages/page-response.ts';
import { act } from '../requests/page-action.ts';
import { browserOf, offerForm, sentForm } from '../requests/page-cookies.ts';
import { type PageParts, viewOf } from '../requests/page-parts.ts';
import { onlyAsLoginPage } from '../requests/page-request.ts';
import { readCookie } from '../requests/site-request.ts';
import { loginBefore, redirectAfterLogin, sendInvalidLink } from './after-login.ts';
import { tokenOf } from './link-token.ts';

/** The page of a login link. It has one button, so that programs that open links do not use it up. */
export function addLinkPages(pages: FastifyInstance, parts: PageParts): void {
  pages.get('/link/*', onlyAsLoginPage, async (request, reply) => {
    const site = request.site!;
    const token = tokenOf(request);
    const browserToken = readCookie(request.raw, 'login', site);
    const link = await findWaitingLink(viewOf(parts, request), token, browserToken);
    if (!link) return sendInvalidLink(parts, request, reply);
    offerForm(request, reply);
    const action = `${pagesOf(site).prefix}/link/${token}`;
    const view = { action, email: link.email, autoSubmit: link.sameBrowser };
    return sendPage(reply, confirmLoginPage(pageFrame(request), view));
  });

  pages.post('/link/*', async (request, reply) => {
    const token = tokenOf(request);
    const form = sentForm(request, ['link', token]);
    const input = { token, browser: browserOf(parts, request, form) };
    const login = await act(parts, request, 'consumeLoginLink', input);
    const successful = login.outcome === 'logged_in' ? login : await loginBefore(parts, request, form);
    if (successful) return redirectAfterLogin(parts, reply, request.site!, successful);
    return sendInvalidLink(parts, request, reply);
  });
}
