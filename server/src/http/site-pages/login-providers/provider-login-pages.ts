import type { FastifyInstance, FastifyRequest } from 'fastify';
import { maxParameterLength } from '../../../domain/provider-logins/provider-login.ts';
import { nextOf } from '../../shared/login/login-form.ts';
import { sendNotFoundPage } from '../../shared/pages/page-response.ts';
import { act } from '../../shared/requests/page-action.ts';
import { type Fields, one, onlyAsLoginPage } from '../../shared/requests/page-request.ts';
import { leadToProvider } from './begin-login.ts';
import { finishLogin } from './finish-login.ts';
import type { LoginProviderParts } from './login-provider-parts.ts';

/** Each provider has its own path: `providerCallbackPath`. */
const callback = '/login/callback/*';

/** The pages on which members log in with an account elsewhere. A site without login providers has none of them. */
export function addProviderLogin(pages: FastifyInstance, parts: LoginProviderParts): void {
  pages.post('/login/with/:providerId', async (request, reply) => {
    const { providerId } = request.params as { readonly providerId: string };
    const next = nextOf(request, (request.body as Fields | undefined)?.next);
    return leadToProvider(parts, request, reply, { providerId, next, sessionToken: null });
  });

  pages.get(callback, onlyAsLoginPage, async (request, reply) => {
    if (!request.site!.hasLoginProviders) return sendNotFoundPage(request, reply);
    return finishLogin(parts, request, reply, { path: pathOf(request), query: queryOf(request) });
  });

  // Apple posts its result, without the Lax cookie of the browser. The browser brings the cookie to the page that follows.
  pages.post(callback, { config: { isSentByOthers: true } }, async (request, reply) => {
    if (!request.site!.hasLoginProviders) return sendNotFoundPage(request, reply);
    const fields = (request.body as Fields | undefined) ?? {};
    const [state, code, error] = [shortOf(fields.state), shortOf(fields.code), shortOf(fields.error)];
    if (state && code && !error) await act(parts, request, 'storeProviderCode', { state, code });
    const query = new URLSearchParams([['state', state], ...(error ? [['error', error]] : [])]);
    return reply.redirect(`${pathOf(request)}?${query}`, 303);
  });
}

/** The path as the browser sent it, to compare it with that of a provider. */
function pathOf({ url }: FastifyRequest): string {
  return url.split('?', 1)[0]!;
}

/** The query as the provider sent it: a parameter that is there twice is for the library to refuse. */
function queryOf({ url }: FastifyRequest): URLSearchParams {
  return new URLSearchParams(url.split('?').slice(1).join('?'));
}

function shortOf(field: Fields[string]): string {
  const value = one(field) ?? '';
  return value.length > maxParameterLength ? '' : value;
}
