import type { FastifyReply, FastifyRequest } from 'fastify';
import { listEnabledProviders } from '../../../domain/login-providers/enabled-providers.ts';
import type { OfferedProviders } from '../../../pages/pages.ts';
import { setCookie } from '../requests/page-cookies.ts';
import { type PageParts, viewOf } from '../requests/page-parts.ts';
import { readCookie } from '../requests/site-request.ts';

const wayCookieSeconds = 365 * 24 * 60 * 60;

/** The providers of the login page: the one that was used last in this browser comes first. */
export async function findOfferedProviders(
  parts: PageParts,
  request: FastifyRequest,
): Promise<OfferedProviders | undefined> {
  if (!request.site!.hasLoginProviders) return undefined;
  const providers = await listEnabledProviders(viewOf(parts, request));
  const lastId = readCookie(request.raw, 'way', request.site!);
  return {
    last: providers.find(({ id }) => id === lastId),
    others: providers.filter(({ id }) => id !== lastId),
  };
}

/**
 * Remembers in this browser how somebody has logged in. The cookie names the provider and not the account.
 * @param providerId null for a login by email
 */
export function rememberWay(request: FastifyRequest, reply: FastifyReply, providerId: string | null): void {
  const isForgotten = providerId === null && readCookie(request.raw, 'way', request.site!) === undefined;
  if (!isForgotten) setCookie(reply, 'way', request.site!, providerId, wayCookieSeconds);
}
