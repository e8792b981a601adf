import type { Gatehouse } from '../gatehouse.ts';
import type { VerifiedSession } from '../types.ts';
import { cacheControlOf, checkVisit, type GateOptions, type Visit } from './gate.ts';

export type { VerifiedSession } from '../types.ts';
export type { GateOptions } from './gate.ts';

/** The parts of `NextResponse` that the gate uses. */
export interface NextResponses {
  next(init: { request: { headers: Headers } }): Response;
}

export interface NextGateOptions<NextRequest> extends GateOptions {
  /** The class, as `next/server` exports it. */
  NextResponse: NextResponses;
  /** Responds to a member without access; the response should have the status 403. Defaults to a plain page. */
  denied?: ((request: NextRequest) => Response | Promise<Response>) | undefined;
}

const headerPrefix = 'x-gatehouse-';
const visitorHeader = `${headerPrefix}visitor`;

/**
 * The function for `proxy.ts` of Next.js 16, or `middleware.ts` of earlier versions, that allows only requests with
 * access to the path by the access rules of the site. It checks every request with Gatehouse and denies access if
 * Gatehouse is unavailable.
 */
export function gate<NextRequest extends Request = Request>(
  gatehouse: Gatehouse,
  options: NextGateOptions<NextRequest>,
): (request: NextRequest) => Promise<Response> {
  return async (request) => {
    const decision = await checkVisit(gatehouse, toVisit(request), options);
    if (decision.allowed) {
      const image = optimizedImage(request.url);
      // Next.js itself requests the image without the cookies of the visitor, so it can optimize only public ones.
      if (image?.startsWith('/') && decision.visitor.access?.reason !== 'public') return redirectTo(image);
      const headers = withoutGateHeaders(request.headers);
      headers.set(visitorHeader, await gatehouse.sessions.seal(decision.visitor));
      const response = options.NextResponse.next({ request: { headers } });
      const cacheControl = cacheControlOf(decision.visitor);
      if (cacheControl !== undefined) response.headers.set('cache-control', cacheControl);
      return response;
    }
    const denied = decision.visitor && (await options.denied?.(request));
    // Next.js lets the request pass if there is no response or a response with this header.
    if (denied && !denied.headers.has('x-middleware-next')) return denied;
    const { status, headers, body } = decision.response;
    return new Response(body, { status, headers });
  };
}

/**
 * The visitor as verified by the gate, for pages, layouts, route handlers and server actions. Pass the result of
 * `headers()` of `next/headers`.
 * @throws Error if the request has not passed the gate, whatever its headers contain
 */
export async function visitorOf(
  gatehouse: Gatehouse,
  headers: { get(name: string): string | null },
): Promise<VerifiedSession> {
  const visitor = await gatehouse.sessions.unseal(headers.get(visitorHeader) ?? '');
  if (visitor === undefined) throw new Error('This request has not passed the gate.');
  return visitor;
}

function withoutGateHeaders(given: Headers): Headers {
  const headers = new Headers(given);
  for (const name of [...headers.keys()]) if (name.startsWith(headerPrefix)) headers.delete(name);
  return headers;
}

function toVisit({ method, url, headers }: Request): Visit {
  return {
    method,
    path: toPath(url),
    cookies: headers.get('cookie') ?? '',
    header: (name) => headers.get(name) ?? undefined,
    headerNames: [...headers.keys()],
  };
}

/** Paths of data requests for a page. Next.js normalizes them to the path of the page, unless that is turned off. */
const dataRequest = /\/_next\/data(\/|$)|\.rsc$|\.segments(\/|$)/i;
const rejectedPath = '';

/** The path for the access check, including the base path, which `nextUrl.pathname` lacks. */
function toPath(url: string): string {
  const { pathname, search } = new URL(url);
  if (dataRequest.test(pathname)) return rejectedPath;
  const image = optimizedImage(url);
  if (image === undefined) return pathname + search;
  return image.startsWith('/') || image === rejectedPath ? image : pathname;
}

/**
 * The image of which the optimizer returns a smaller copy: a path of this site, to which access may be restricted, or a
 * URL. Undefined for all other requests.
 */
function optimizedImage(url: string): string | undefined {
  const { pathname, searchParams } = new URL(url);
  if (!/\/_next\/image\/?$/i.test(pathname)) return undefined;
  const [image, ...more] = searchParams.getAll('url');
  if (image === undefined || more.length > 0 || image.startsWith('//')) return rejectedPath;
  return image;
}

/** The browser requests the image itself, which the gate checks again. */
function redirectTo(image: string): Response {
  return new Response(null, { status: 307, headers: { location: image, 'cache-control': 'no-store' } });
}
