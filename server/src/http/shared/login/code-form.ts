import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readCode } from '../../../domain/login-links/login-code.ts';
import { listEnabledProviders } from '../../../domain/login-providers/enabled-providers.ts';
import { findLoginRequest } from '../../../domain/logins/email-login.ts';
import type { Login } from '../../../domain/logins/login.ts';
import type { SentForm } from '../../../domain/sessions/form-responses.ts';
import { offersSignUp } from '../../../domain/sign-up/sign-up.ts';
import { joinPath } from '../../../domain/sites/page-addresses.ts';
import { pagesOf } from '../../../domain/sites/site-addresses.ts';
import { type CheckEmailPage, checkEmailPage } from '../../../pages/pages.ts';
import { pageFrame, sendPage } from '../pages/page-response.ts';
import { afterOffer, mayOfferPasskey } from '../passkeys/passkey-offer.ts';
import { act } from '../requests/page-action.ts';
import { browserOf, offerForm, sentForm } from '../requests/page-cookies.ts';
import { type PageParts, viewOf } from '../requests/page-parts.ts';
import { type Fields, one, onlyAsLoginPage } from '../requests/page-request.ts';
import { readCookie } from '../requests/site-request.ts';
import { isAnswered, loginBefore, sendAnswer, sendJoinOutcome } from './after-login.ts';
import { countUnknownEmail, loginBucket, triesTooManyCodes } from './login-limits.ts';

type WaitingRequest = NonNullable<Awaited<ReturnType<typeof findLoginRequest>>>;

/** The page after a login request, with the form for the code from the email. */
export function addCodeForm(pages: FastifyInstance, parts: PageParts): void {
  pages.get('/check', onlyAsLoginPage, async (request, reply) => {
    const waiting = await findWaitingRequest(parts, request);
    if (!waiting) return redirectToLogin(request, reply);
    offerForm(request, reply);
    const unconfirmedBy = await providerOf(parts, request);
    const problem = waiting.codeWorks ? undefined : 'code_invalid';
    return sendPage(reply, codePage(request, waiting, problem, unconfirmedBy));
  });

  pages.post('/code', async (request, reply) => {
    const typed = one((request.body as Fields | undefined)?.code) ?? '';
    const code = readCode(typed);
    const form = code === undefined ? null : sentForm(request, ['code', code]);
    // Before the code is counted as an attempt. The first response may have ended the login request in the browser.
    const repeated = await loginBefore(parts, request, form);
    if (repeated) return sendAnswer(parts, request, reply, await afterOffer(parts, request, repeated));
    const waiting = await findWaitingRequest(parts, request);
    if (!waiting) return redirectToLogin(request, reply);
    await countUnknownEmail(parts, request, reply, waiting.knownBrowserId);
    if (reply.sent) return reply;
    const login = await tryCode(parts, request, waiting, typed, form);
    // The first of two that were sent at once has logged in by now.
    const answered = isAnswered(login) ? login : await loginBefore(parts, request, form);
    if (answered) return sendAnswer(parts, request, reply, await afterOffer(parts, request, answered));
    if (login.outcome === 'cookie_missing') return sendJoinOutcome(request, reply, login.outcome);
    const problem = login.outcome === 'expired' ? 'code_invalid' : 'wrong_code';
    const event = problem === 'wrong_code' ? 'code.wrong' : 'code.refused';
    return sendPage(reply, codePage(request, waiting, problem), 400, event);
  });
}

async function tryCode(
  parts: PageParts,
  request: FastifyRequest,
  waiting: WaitingRequest,
  typed: string,
  form: SentForm | null,
): Promise<Login> {
  const site = request.site!;
  const bucket = `code ${loginBucket(site, waiting.knownBrowserId, waiting.email)}` as const;
  // The links in the emails continue to work.
  if (await triesTooManyCodes(parts, bucket, typed)) return { outcome: 'expired' };
  return act(parts, request, 'consumeLoginCode', { typed, browser: browserOf(parts, request, form) });
}

function findWaitingRequest(parts: PageParts, request: FastifyRequest): Promise<WaitingRequest | undefined> {
  return findLoginRequest(viewOf(parts, request), readCookie(request.raw, 'login', request.site!));
}

function codePage(
  request: FastifyRequest,
  { email, next, joining }: WaitingRequest,
  problem: CheckEmailPage['problem'],
  unconfirmedBy: string | null = null,
): string {
  // The code of an invitation is not stored, so that its page has to be opened again.
  const path = joining && joining.invitationId === null ? joinPath(pagesOf(request.site!), next) : null;
  const again = joining && { joinPath: path };
  const offersPasskey = joining === null && mayOfferPasskey(request.site!);
  return checkEmailPage(pageFrame(request), {
    email,
    next,
    offersPasskey,
    offersSignUp: offersSignUp(request.site!),
    unconfirmedBy,
    ...again,
    ...(problem && { problem }),
  });
}

/** The name of the provider, of the query, that led to the email because it does not vouch for the address. */
async function providerOf(parts: PageParts, request: FastifyRequest): Promise<string | null> {
  const id = one((request.query as Fields).provider);
  if (id === undefined || !request.site!.hasLoginProviders) return null;
  const providers = await listEnabledProviders(viewOf(parts, request));
  return providers.find((provider) => provider.id === id)?.name ?? null;
}

function redirectToLogin({ site }: FastifyRequest, reply: FastifyReply): FastifyReply {
  return reply.redirect(`${pagesOf(site!).prefix}/login`, 303);
}
