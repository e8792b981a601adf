import type { Site } from '@gatehouse/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { PageParts } from '../requests/page-parts.ts';
import { countFormByAddress } from '../requests/page-request.ts';

/**
 * The rate limit bucket of login requests and codes for an email address: each known browser has its own limit that
 * others cannot use up; all other browsers share one.
 */
export function loginBucket({ id }: Site, knownBrowserId: string | null, email: string): string {
  return knownBrowserId === null ? `${id} ${email}` : `${id} browser ${knownBrowserId}`;
}

/**
 * A known browser is known only for certain addresses. Its forms for other addresses count like those of unknown
 * browsers.
 */
export async function countUnknownEmail(
  parts: PageParts,
  request: FastifyRequest,
  reply: FastifyReply,
  knownBrowserId: string | null,
): Promise<void> {
  if (request.knownBrowser && knownBrowserId === null) await countFormByAddress(parts, request, reply);
}
