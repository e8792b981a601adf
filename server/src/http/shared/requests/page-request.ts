import { parse as parseForm } from 'node:querystring';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { findKnownBrowser, type KnownBrowser } from '../../../domain/known-browsers/known-browsers.ts';
import { loginSurfaceOf, originOf } from '../../../domain/sites/site.ts';
import type { VisitedSite } from '../../../domain/sites/visited-site.ts';
import { addressBucket, type Bucket, bucketFor } from '../limits/rate-limit.ts';
import { pageHeadersOf, transportHeaders } from '../pages/page-frame.ts';
import { sendErrorPage, sendForbidden, sendTooMany } from '../pages/page-response.ts';
import { deviceCookieOf } from './page-cookies.ts';
import { isFromServiceWorker, isNotForPage, isUnpressed, openerPolicyFor } from './page-navigation.ts';
import { type PageParts, viewOf } from './page-parts.ts';

const maxFormBytes = 16 * 1024;
/** In this time the requests of a bucket are counted, such as the forms of one client address. */
const countedSeconds = 15 * 60;

export type Fields = Readonly<Record<string, string | string[] | undefined>>;

/** Makes a plugin of pages parse forms and answer errors with pages. */
export function preparePages(pages: FastifyInstance, { admission }: PageParts): void {
  pages.decorateRequest('site', null);
  pages.decorateRequest('knownBrowser', null);
  pages.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: maxFormBytes },
    async (_: FastifyRequest, body: string) => parseForm(body, '&', '=', { maxKeys: 20 }),
  );
  // Pages have their own limits, on the forms sent to them.
  pages.addHook('onRequest', async (_, reply) => admission.admitUncounted(reply));
  pages.setErrorHandler((error, request, reply) => sendErrorPage(error, request, reply));
}

/**
 * Admits a request to a page of a site. Rejects forms sent from other sites or by scripts, and forms over the limit: then
 * `reply.sent` is true. (A reply that is awaited is undefined once it has been sent.)
 */
export async function enterPage(
  parts: PageParts,
  request: FastifyRequest,
  reply: FastifyReply,
  site: VisitedSite,
): Promise<void> {
  request.site = site;
  reply.headers({
    ...pageHeadersOf(site),
    ...transportHeaders(site),
    'cross-origin-opener-policy': openerPolicyFor(request.headers),
  });
  if (request.method === 'GET' || request.method === 'HEAD') return;
  if (request.routeOptions.config.isSentByOthers) return countFormByAddress(parts, request, reply);
  if (isCrossSite(request) || isByScript(request)) {
    await sendForbidden(request, reply);
    return;
  }
  request.knownBrowser = (await knownBrowserOf(parts, request, site)) ?? null;
  const { knownBrowser } = request;
  if (knownBrowser) await countForm(parts, request, reply, `browser ${site.id} ${knownBrowser.key}`);
  else await countFormByAddress(parts, request, reply);
}

/** For pages that show personal data: other pages of the host must not read them. */
export const onlyAsPage = {
  onRequest: async (request: FastifyRequest, reply: FastifyReply) =>
    isNotForPage(request.headers) ? sendForbidden(request, reply) : undefined,
};

/** For pages of the login, which must also work where a web app passes all requests through its service worker. */
export const onlyAsLoginPage = {
  onRequest: async (request: FastifyRequest, reply: FastifyReply) =>
    isByScript(request) ? sendForbidden(request, reply) : undefined,
};

/**
 * For forms that act as the visitor: another page of the host must not send them without a press, and neither may a
 * service worker.
 */
export const onlyPressed = {
  onRequest: async ({ headers }: FastifyRequest, reply: FastifyReply) =>
    isNotForPage(headers) || isUnpressed(headers) ? sendForbidden(reply.request, reply) : undefined,
};

function isByScript({ headers }: FastifyRequest): boolean {
  return isNotForPage(headers) && !isFromServiceWorker(headers);
}

/**
 * Whether a request was sent from another site. Browsers indicate it (Fetch Metadata, and `Origin` of RFC 6454); a
 * client that sends neither is not a browser that could be tricked.
 */
export function isCrossSite({ headers, site }: FastifyRequest): boolean {
  const fetchSite = headers['sec-fetch-site'];
  if (fetchSite !== undefined) return fetchSite !== 'same-origin' && fetchSite !== 'none';
  return headers.origin !== undefined && headers.origin !== originOf(site!);
}

/** Counts a form by its client address, including forms of a known browser for an email address not known there. */
export function countFormByAddress(
  parts: PageParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  return countForm(parts, request, reply, formBucketOf(request));
}

/** The seconds to wait if the limit is exceeded, 0 otherwise. */
export async function secondsToWait(
  { limits }: PageParts,
  bucket: Bucket,
  limit: number,
  seconds = countedSeconds,
): Promise<number> {
  const { exceeded, secondsToReset } = await limits.consume(bucketFor('visitor', bucket), limit, seconds);
  return exceeded ? Math.max(secondsToReset, 1) : 0;
}

/** The known browser that sends a form. While the client is over its limit, an unknown cookie costs no statement. */
async function knownBrowserOf(
  parts: PageParts,
  request: FastifyRequest,
  { id: siteId }: VisitedSite,
): Promise<KnownBrowser | undefined> {
  const { limits, admission } = parts;
  const cookie = deviceCookieOf(request);
  const isOverLimit = limits.secondsExceeded(bucketFor('visitor', formBucketOf(request))) > 0;
  if (isOverLimit && !(await admission.known.hasBrowser(siteId, cookie))) return undefined;
  return findKnownBrowser(viewOf(parts, request), cookie);
}

/** Each login surface has its own bucket: forms of members' pages cannot lock out an operator with the same address. */
function formBucketOf({ site, ip }: FastifyRequest): Bucket {
  return bucketFor(loginSurfaceOf(site!), addressBucket(ip));
}

/** Answers with an error page if the limit is exceeded. */
async function countForm(
  parts: PageParts,
  request: FastifyRequest,
  reply: FastifyReply,
  bucket: Bucket,
): Promise<void> {
  const wait = await secondsToWait(parts, bucket, parts.settings.loginLimitClient);
  if (wait > 0) await sendTooMany(request, reply, wait);
}

/** The value of a field that was sent exactly once. */
export function one(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
