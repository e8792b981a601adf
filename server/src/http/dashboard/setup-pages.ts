import { normalizeDisplayName, normalizeEmail } from '@gatehouse/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isSetupToken } from '../../domain/operators/setup-token.ts';
import { operatorPages } from '../../domain/sites/page-addresses.ts';
import { type SetupPage, setupPage } from '../../pages/pages.ts';
import { isAnswered, loginBefore, sendAnswer, sendInvalidLink } from '../shared/login/after-login.ts';
import { tokenOf } from '../shared/login/link-token.ts';
import { pageFrame, sendPage } from '../shared/pages/page-response.ts';
import { act } from '../shared/requests/page-action.ts';
import { browserOf, offerForm, sentForm } from '../shared/requests/page-cookies.ts';
import { type PageParts, viewOf } from '../shared/requests/page-parts.ts';
import { type Fields, one, onlyAsPage } from '../shared/requests/page-request.ts';

/** The page of the setup link that the first start prints. */
export function addSetupPages(pages: FastifyInstance, parts: PageParts): void {
  const show = (request: FastifyRequest, view: Omit<SetupPage, 'action'>) =>
    setupPage(pageFrame(request), {
      action: `${operatorPages.prefix}/setup/${tokenOf(request)}`,
      ...view,
    });

  pages.get('/setup/*', onlyAsPage, async (request, reply) => {
    const works = await isSetupToken(viewOf(parts, request), tokenOf(request));
    if (!works) return sendInvalidLink(parts, request, reply);
    offerForm(request, reply);
    return sendPage(reply, show(request, { email: '', displayName: '' }));
  });

  pages.post('/setup/*', async (request, reply) => {
    const fields = request.body as Fields | undefined;
    const typed = {
      email: (one(fields?.email) ?? '').slice(0, 254),
      displayName: (one(fields?.displayName) ?? '').slice(0, 1_000),
    };
    const email = normalizeEmail(typed.email);
    const displayName = normalizeDisplayName(typed.displayName);
    if (displayName === undefined) {
      return sendPage(reply, show(request, { ...typed, problem: 'invalid_name' }), 400);
    }
    if (email === null) return sendPage(reply, show(request, { ...typed, problem: 'invalid_email' }), 400);
    const token = tokenOf(request);
    const form = sentForm(request, ['setup', token, email]);
    const login = await act(parts, request, 'claimFirstOwnership', {
      token,
      owner: { email, displayName },
      browser: browserOf(parts, request, form),
    });
    if (login.outcome === 'logged_in') parts.admission.operatorClaimed();
    const answered = isAnswered(login) ? login : await loginBefore(parts, request, form);
    if (answered) return sendAnswer(parts, request, reply, answered);
    return sendInvalidLink(parts, request, reply);
  });
}
