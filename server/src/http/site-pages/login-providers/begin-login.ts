import type { FastifyReply, FastifyRequest } from 'fastify';
import { isUuid } from '../../../base/ids.ts';
import { openLoginProvider } from '../../../domain/login-providers/login-provider-secrets.ts';
import { findRedirectUri } from '../../../domain/login-providers/login-providers.ts';
import { ProviderLoginFailed } from '../../../domain/login-providers/provider-account.ts';
import { originOf } from '../../../domain/sites/site.ts';
import { leavingPage } from '../../../pages/pages.ts';
import { loginCookieSeconds } from '../../shared/login/request-link.ts';
import { pageFrame, sendNotFoundPage, sendPage } from '../../shared/pages/page-response.ts';
import { act } from '../../shared/requests/page-action.ts';
import { browserTokenOf, setCookie } from '../../shared/requests/page-cookies.ts';
import { viewOf } from '../../shared/requests/page-parts.ts';
import type { LoginProviderParts } from './login-provider-parts.ts';
import { sendFailure, sendLinkingResult } from './provider-failure.ts';

export interface WantedLogin {
  readonly providerId: string;
  readonly next: string;
  /** Of the member who links the account; null for a login. */
  readonly sessionToken: string | null;
}

/** Begins a login in this browser, and leads on to the provider. */
export async function leadToProvider(
  parts: LoginProviderParts,
  request: FastifyRequest,
  reply: FastifyReply,
  { providerId, next, sessionToken }: WantedLogin,
): Promise<FastifyReply> {
  const site = request.site!;
  if (!site.hasLoginProviders || originOf(site) === null || !isUuid(providerId)) {
    return sendNotFoundPage(request, reply);
  }
  const { token: browserToken } = browserTokenOf(request, site);
  const { language } = pageFrame(request);
  const wanted = { providerId: providerId.toLowerCase(), browserToken, next, language };
  const begun = await act(parts, request, 'beginProviderLogin', { ...wanted, sessionToken });
  if (begun === undefined) {
    return sessionToken === null
      ? sendNotFoundPage(request, reply)
      : sendLinkingResult(reply, 'login_not_recent');
  }
  setCookie(reply, 'login', site, browserToken, loginCookieSeconds);
  const { provider: stored, ...attempt } = begun;
  try {
    const redirectUri = (await findRedirectUri(viewOf(parts, request), stored))!;
    const provider = openLoginProvider(parts.workspaces.secrets, site.id, stored);
    const url = await parts.loginProviders.begin(provider, { redirectUri, ...attempt });
    return sendPage(reply, leavingPage(pageFrame(request), { name: stored.name, url: url.href }));
  } catch (error) {
    if (!(error instanceof ProviderLoginFailed)) throw error;
    const login = { provider: stored, next, isLinking: sessionToken !== null };
    return sendFailure(request, reply, login, error);
  }
}
