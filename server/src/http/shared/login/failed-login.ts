import type { Site } from '@gatehouse/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { listEnabledProviders } from '../../../domain/login-providers/enabled-providers.ts';
import { type LoginPage, providerProblems } from '../../../pages/pages.ts';
import { setCookie } from '../requests/page-cookies.ts';
import { type PageParts, viewOf } from '../requests/page-parts.ts';
import { readCookie } from '../requests/site-request.ts';

const failureCookieSeconds = 60;

/** Why a login at a provider has failed. `too_many`: the login email that it needs was requested too often. */
export type LoginFailure =
  | { readonly reason: (typeof providerProblems)[number]; readonly providerId: string | null }
  | { readonly reason: 'too_many'; readonly waitMinutes: number };

/** Lets the login page say it in this browser, once. An address of the page could say it to anybody. */
export function rememberFailure(reply: FastifyReply, site: Site, failure: LoginFailure): void {
  const detail = failure.reason === 'too_many' ? failure.waitMinutes : failure.providerId;
  setCookie(reply, 'failure', site, `${failure.reason}.${detail ?? ''}`, failureCookieSeconds);
}

/** What the login page says of the login that has just failed in this browser, if any. */
export async function takeFailure(
  parts: PageParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Pick<LoginPage, 'problem' | 'waitMinutes' | 'providerProblem'>> {
  const site = request.site!;
  const value = site.hasLoginProviders ? readCookie(request.raw, 'failure', site) : undefined;
  if (value === undefined) return {};
  setCookie(reply, 'failure', site, null, 0);
  const [name, detail = ''] = value.split('.');
  if (name === 'too_many') {
    return { problem: name, ...(/^\d{1,4}$/.test(detail) && { waitMinutes: Number(detail) }) };
  }
  const reason = providerProblems.find((each) => each === name);
  if (reason === undefined) return {};
  const providers = await listEnabledProviders(viewOf(parts, request));
  const provider = providers.find(({ id }) => id === detail)?.name ?? null;
  return { providerProblem: { reason, provider } };
}
