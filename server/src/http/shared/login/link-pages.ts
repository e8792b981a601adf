import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { findWaitingLink } from '../../../domain/logins/email-login.ts';
import { pagesOf } from '../../../domain/sites/site-addresses.ts';
import { type ConfirmLoginPage, confirmLoginPage } from '../../../pages/pages.ts';
import { pageFrame, sendPage } from '../pages/page-response.ts';
import { afterOffer, mayOfferPasskey } from '../passkeys/passkey-offer.ts';
import { act } from '../requests/page-action.ts';
import { browserOf, offerForm, sentForm } from '../requests/page-cookies.ts';
import { type PageParts, viewOf } from '../requests/page-parts.ts';
import { type Fields, onlyAsLoginPage } from '../requests/page-request.ts';
import { readCookie } from '../requests/site-request.ts';
import { isAnswered, loginBefore, sendAnswer, sendInvalidLink, sendJoinOutcome } from './after-login.ts';
import { enteredTexts, toEntered, type WrongTexts } from './entered-texts.ts';
import { tokenOf } from './link-token.ts';

/** The page of a login link. It has one button, so that programs that open links do not use it up. */
export function addLinkPages(pages: FastifyInstance, parts: PageParts): void {
  pages.get('/link/*', onlyAsLoginPage, (request, reply) => showLink(parts, request, reply));

  pages.post('/link/*', async (request, reply) => {
    const token = tokenOf(request);
    const entered = enteredTexts(request.body as Fields | undefined);
    if (entered && 'problem' in entered) return showLink(parts, request, reply, entered);
    const form = sentForm(request, ['link', token]);
    const input = { token, browser: browserOf(parts, request, form), entered };
    const login = await act(parts, request, 'consumeLoginLink', input);
    const answered = isAnswered(login) ? login : await loginBefore(parts, request, form);
    if (answered) return sendAnswer(parts, request, reply, await afterOffer(parts, request, answered));
    if (login.outcome === 'cookie_missing') return sendJoinOutcome(request, reply, login.outcome);
    return sendInvalidLink(parts, request, reply);
  });
}

/** @param wrong what was entered on the page, and what is wrong with it */
async function showLink(
  parts: PageParts,
  request: FastifyRequest,
  reply: FastifyReply,
  wrong?: WrongTexts,
): Promise<FastifyReply> {
  const site = request.site!;
  const token = tokenOf(request);
  const browserToken = readCookie(request.raw, 'login', site);
  const link = await findWaitingLink(viewOf(parts, request), token, browserToken);
  if (!link) return sendInvalidLink(parts, request, reply);
  offerForm(request, reply);
  const { email, sameBrowser, joinRequest } = link;
  // Somebody who has just filled in the same fields in this browser is not asked again.
  const isFilledIn = sameBrowser && link.isJoining;
  const view: ConfirmLoginPage = {
    action: `${pagesOf(site).prefix}/link/${token}`,
    email,
    offersPasskey: joinRequest === null && mayOfferPasskey(site),
    joinRequest: joinRequest && { ...toEntered(joinRequest), ...wrong?.entered },
    autoSubmit: sameBrowser && (joinRequest === null || isFilledIn) && !wrong,
    problem: wrong ? { kind: wrong.problem } : null,
  };
  return sendPage(reply, confirmLoginPage(pageFrame(request), view), wrong ? 400 : 200);
}
