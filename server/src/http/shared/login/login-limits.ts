import type { Site } from '@gatehouse/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readCode } from '../../../domain/login-links/login-code.ts';
import type { PageParts } from '../requests/page-parts.ts';
import { countFormByAddress, secondsToWait } from '../requests/page-request.ts';

const codeWindowSeconds = 24 * 60 * 60;
/** Codes tried for one email address in a day, in each known browser and in all others together. */
const maxCodesPerDay = 20;

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

/**
 * Counts an attempt to enter a code, and says whether it is one too many for this day. A text that cannot be a code does
 * not count.
 */
export async function triesTooManyCodes(
  parts: PageParts,
  bucket: `code ${string}`,
  typed: string,
): Promise<boolean> {
  if (readCode(typed) === undefined) return false;
  return (await secondsToWait(parts, bucket, maxCodesPerDay, codeWindowSeconds)) > 0;
}
