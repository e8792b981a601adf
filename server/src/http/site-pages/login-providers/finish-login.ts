import { normalizeEmail } from '@gatehouse/contract';
import { providerCallbackPath } from '@gatehouse/contract/provider-issuers';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { findVisitor } from '../../../domain/access-rules/visitor.ts';
import { findOwner } from '../../../domain/identities/identities.ts';
import { findKnownBrowser } from '../../../domain/known-browsers/known-browsers.ts';
import { generateCode } from '../../../domain/login-links/login-code.ts';
import { openLoginProvider } from '../../../domain/login-providers/login-provider-secrets.ts';
import { findRedirectUri } from '../../../domain/login-providers/login-providers.ts';
import {
  type ProviderAccount,
  ProviderLoginFailed,
} from '../../../domain/login-providers/provider-account.ts';
import { generateToken } from '../../../domain/sessions/token.ts';
import { memberPages } from '../../../domain/sites/page-addresses.ts';
import { originOf } from '../../../domain/sites/site.ts';
import type { ActionResult } from '../../../runtime/call.ts';
import { sendAnswer } from '../../shared/login/after-login.ts';
import { countUnknownEmail, loginBucket } from '../../shared/login/login-limits.ts';
import { loginCookieSeconds } from '../../shared/login/request-link.ts';
import { act } from '../../shared/requests/page-action.ts';
import { browserOf, deviceCookieOf, sessionTokenOf, setCookie } from '../../shared/requests/page-cookies.ts';
import { viewOf } from '../../shared/requests/page-parts.ts';
import { secondsToWait } from '../../shared/requests/page-request.ts';
import { readCookie } from '../../shared/requests/site-request.ts';
import type { LoginProviderParts } from './login-provider-parts.ts';
import { type BegunLogin, sendFailure, sendLinkingResult, sendProblem } from './provider-failure.ts';

type TakenLogin = NonNullable<ActionResult<'takeProviderLogin'>>;

/** What a browser brings back from a provider. */
export interface ProviderCallback {
  readonly path: string;
  readonly query: URLSearchParams;
}

/** Finishes the login that a browser brings back from a provider, if the same browser has begun it, at this provider. */
export async function finishLogin(
  parts: LoginProviderParts,
  request: FastifyRequest,
  reply: FastifyReply,
  { path, query }: ProviderCallback,
): Promise<FastifyReply> {
  const browserToken = readCookie(request.raw, 'login', request.site!) ?? '';
  const state = query.get('state') ?? '';
  const taken = await act(parts, request, 'takeProviderLogin', { state, browserToken });
  // A response that comes to the path of another provider is not of this login (RFC 9700, section 4.4).
  if (!taken || path !== providerCallbackPath(taken.provider.issuer)) {
    return sendExpired(parts, request, reply);
  }
  const begun = { provider: taken.provider, next: taken.next, isLinking: taken.sessionId !== null };
  try {
    const account = await readAccount(parts, request, taken, query);
    return await logIn(parts, request, reply, { taken, begun, account });
  } catch (error) {
    if (!(error instanceof ProviderLoginFailed)) throw error;
    return sendFailure(request, reply, begun, error);
  }
}

/** Exchanges the code, outside of any transaction: the provider may be slow. */
async function readAccount(
  parts: LoginProviderParts,
  request: FastifyRequest,
  { provider: stored, nonce, codeVerifier, code }: TakenLogin,
  query: URLSearchParams,
): Promise<ProviderAccount> {
  const provider = openLoginProvider(parts.workspaces.secrets, request.site!.id, stored);
  const redirectUri = (await findRedirectUri(viewOf(parts, request), stored))!;
  const callback = new URL(redirectUri);
  callback.search = String(query);
  if (code !== null) callback.searchParams.set('code', code);
  return parts.loginProviders.finish(provider, {
    redirectUri,
    callback,
    state: query.get('state')!,
    nonce,
    codeVerifier,
  });
}

interface FinishedLogin {
  readonly taken: TakenLogin;
  readonly begun: BegunLogin;
  readonly account: ProviderAccount;
}

async function logIn(
  parts: LoginProviderParts,
  request: FastifyRequest,
  reply: FastifyReply,
  { taken, begun, account }: FinishedLogin,
): Promise<FastifyReply> {
  const { next, isLinking, provider } = begun;
  const wait = isLinking ? 0 : await secondsToWaitForEmail(parts, request, reply, account);
  if (reply.sent) return reply;
  if (wait > 0) {
    return sendProblem(request, reply, { reason: 'too_many', waitMinutes: Math.ceil(wait / 60) }, next);
  }
  const site = request.site!;
  const email = { browserToken: generateToken(), code: generateCode(), origin: originOf(site)! };
  const input = { taken, account, browser: browserOf(parts, request, null), email };
  const login = await act(parts, request, 'logInWithProvider', input);
  switch (login.outcome) {
    case 'linked':
    case 'unchanged':
      return sendLinkingResult(reply, login.outcome);
    case 'email_sent':
      setCookie(reply, 'login', site, email.browserToken, loginCookieSeconds);
      return reply.redirect(`${memberPages.prefix}/check?provider=${taken.providerId}`, 303);
    case 'refused':
      return isLinking
        ? sendLinkingResult(reply, 'taken')
        : sendProblem(request, reply, { reason: 'refused', providerId: provider.id }, next);
    default:
      return sendAnswer(parts, request, reply, login, taken.providerId);
  }
}

/**
 * An account whose address is not trusted causes an email, which counts like one that is requested in an unknown browser.
 * Whether somebody has linked the account does not depend on the address. Over the limit of the client address, the reply
 * has been sent.
 */
async function secondsToWaitForEmail(
  parts: LoginProviderParts,
  request: FastifyRequest,
  reply: FastifyReply,
  account: ProviderAccount,
): Promise<number> {
  const email = account.email === null ? null : normalizeEmail(account.email);
  if (account.emailVerified || email === null) return 0;
  const view = viewOf(parts, request);
  if (await findOwner(view, account)) return 0;
  // The form with which the login began has counted only in the known browser.
  request.knownBrowser = (await findKnownBrowser(view, deviceCookieOf(request))) ?? null;
  await countUnknownEmail(parts, request, reply, request.knownBrowser?.idByEmail.get(email) ?? null);
  if (reply.sent) return 0;
  const bucket = loginBucket(request.site!, null, email);
  return secondsToWait(parts, `login ${bucket}`, parts.settings.loginLimit);
}

/** A page that is loaded once more has already logged in. */
async function sendExpired(
  parts: LoginProviderParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { front } = memberPages;
  const visitor = await findVisitor(viewOf(parts, request), sessionTokenOf(request));
  if (visitor?.status === 'active') return reply.redirect(front, 303);
  return sendProblem(request, reply, { reason: 'expired', providerId: null }, front);
}
