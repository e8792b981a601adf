import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { isForwardingHeader } from '@gatehouse/contract/forwarding-headers';
import { defaultIdentityHeaders } from '@gatehouse/contract/identity-headers';
import { tokenInHeader, withoutToken } from '../shared/credentials/access-token-credential.ts';
import { cookiesForProgram, isOwnCookie } from '../shared/credentials/cookie-names.ts';
import { pageCodeHeader } from '../shared/identity/identity-headers.ts';
import { isForEverybody } from '../shared/pages/for-everybody.ts';
import type { TrustedProxies } from '../shared/requests/site-request.ts';
import { cacheControlOf, type Visit } from './content.ts';

/** Headers about one connection only (RFC 9110, section 7.6.1), those that older programs still send included. */
const hopByHop = [
  'connection',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'te',
  'trailer',
  'upgrade',
  'proxy-authenticate',
  'proxy-authorization',
  'http2-settings',
];

/**
 * Headers of a visitor that the program must not see, beside those that say how the request came: only Gatehouse says who
 * the visitor is.
 */
const notFromVisitors = new Set([
  ...hopByHop,
  ...Object.values(defaultIdentityHeaders),
  'remote-cache',
  'remote-credential',
  pageCodeHeader,
  'expect',
  'cookie',
]);

/** Headers in which well-known proxies and platforms name the user that they have authenticated. */
const identityOfOthers =
  /^x-(?:auth-request|authentik|webauth|remote|ms-client-principal|goog-authenticated-user)(?:-|$)|^(?:tailscale-user|cf-access-authenticated)-/;

function isFromVisitor(name: string): boolean {
  return !notFromVisitors.has(name) && !isForwardingHeader(name) && !identityOfOthers.test(name);
}

/**
 * Headers of a program that visitors must not receive: a service worker of a program could claim Gatehouse's own pages
 * with `Service-Worker-Allowed`.
 */
const notToVisitors = new Set([...hopByHop, 'service-worker-allowed']);

/** Programs read other characters as hyphens, so that such a name may stand for another one. nginx drops them too. */
const plainName = /^[a-z0-9-]+$/;

/** Headers with which a program tells a cache in between what to store, whatever `Cache-Control` says (RFC 9213). */
const cacheHeaders = /^(?:expires|(?:surrogate|edge)-control|x-accel-expires|[\w-]+-cache-control)$/;

/** The headers of a visitor's request as the program receives them. */
export function upstreamHeaders(visit: Visit, proxies: TrustedProxies): OutgoingHttpHeaders {
  const { request, site, identity, ipAddress } = visit;
  const dropped = connectionHeaders(request.headers);
  const identityNames = new Set(Object.values(site.identityHeaders).map((name) => name?.toLowerCase()));
  const headers: OutgoingHttpHeaders = {};
  for (const [name, values = []] of Object.entries(request.headersDistinct)) {
    if (!plainName.test(name) || identityNames.has(name) || dropped.has(name)) continue;
    if (isFromVisitor(name)) headers[name] = values;
  }
  // The page of a feed is opened with a token in its address.
  if (headers.referer !== undefined) headers.referer = withoutToken(request.headers.referer!);
  // The token of a member is for Gatehouse only. Any other credential is for the program.
  if (tokenInHeader(request) !== undefined) delete headers.authorization;
  const cookie = cookiesForProgram(request.headers.cookie);
  return {
    ...headers,
    ...(cookie !== undefined && { cookie }),
    ...bodyHeaders(request),
    ...identity,
    host: site.domain!,
    'x-forwarded-host': site.domain!,
    'x-forwarded-proto': site.scheme,
    'x-forwarded-for': forwardedFor(request, ipAddress, proxies),
  };
}

/** The headers of the program's response as the visitor receives them. */
export function visitorHeaders(
  visit: Visit,
  { headers, headersDistinct }: IncomingMessage,
): OutgoingHttpHeaders {
  const dropped = connectionHeaders(headers);
  const isPublic = isForEverybody(visit);
  const sent: OutgoingHttpHeaders = {};
  for (const [name, values = []] of Object.entries(headersDistinct)) {
    if (notToVisitors.has(name) || dropped.has(name)) continue;
    if (isPublic || !cacheHeaders.test(name)) sent[name] = values;
  }
  const cookies = headers['set-cookie']?.filter((each) => !isOwnCookie(each));
  if (cookies) sent['set-cookie'] = cookies;
  sent.vary = withCookie(headers.vary);
  if (!isPublic) sent['cache-control'] = privateCacheControl(visit, headers['cache-control']);
  return sent;
}

/** The headers that a `Connection` header names: they are for this connection only. */
function connectionHeaders({ connection = '' }: IncomingHttpHeaders): ReadonlySet<string> {
  return new Set(connection.split(',').map((name) => name.trim().toLowerCase()));
}

/** How the body is delimited is decided once, for the request that Node has parsed strictly (RFC 9112, section 6.3). */
function bodyHeaders({ headers, method }: IncomingMessage): OutgoingHttpHeaders {
  if (headers['transfer-encoding'] !== undefined) return { 'transfer-encoding': 'chunked' };
  if (headers['content-length'] !== undefined) return { 'content-length': headers['content-length'] };
  return method === 'GET' || method === 'HEAD' ? {} : { 'content-length': '0' };
}

/** Only trusted proxies may name addresses. The last one is the sender of the request. */
function forwardedFor(
  request: IncomingMessage,
  ipAddress: string | undefined,
  proxies: TrustedProxies,
): string {
  const peer = request.socket.remoteAddress ?? '';
  if (!proxies.sent(request)) return ipAddress ?? peer;
  const named = request.headers['x-forwarded-for'];
  return [named, peer].flat().filter(Boolean).join(', ');
}

function withCookie(vary: string | undefined): string {
  if (vary === undefined) return 'Cookie';
  return /(?:^|,)\s*(?:cookie|\*)\s*(?:,|$)/i.test(vary) ? vary : `${vary}, Cookie`;
}

function privateCacheControl(visit: Visit, given = ''): string {
  if (/\bno-store\b/i.test(given)) return 'private, no-store';
  return visit.decision.reason === 'public' ? 'private, no-cache' : cacheControlOf(visit);
}
