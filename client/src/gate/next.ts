import type { Gatehouse } from '../gatehouse.ts';
import type { VerifiedSession } from '../types.ts';
import { type GateOptions, judge, type Visit } from './gate.ts';

export type { VerifiedSession } from '../types.ts';
export type { GateOptions } from './gate.ts';

/** The parts of `NextResponse` that the gate uses. */
export interface NextResponses {
  next(init: { request: { headers: Headers } }): Response;
}

export interface NextGateOptions<NextRequest> extends GateOptions {
  /** The class, as `next/server` exports it. */
  NextResponse: NextResponses;
  /** Answers a member who may not see this: give the response its status, 403. A plain page when left out. */
  denied?: ((request: NextRequest) => Response | Promise<Response>) | undefined;
}

const headerPrefix = 'x-gatehouse-';
const visitorHeader = `${headerPrefix}visitor`;

/**
 * The function for `proxy.ts` of Next.js 16, and `middleware.ts` of those before, that lets pass only who may see the path by
 * the site's access rules. It asks Gatehouse at every request, and stays shut when it gets no answer.
 */
export function gate<NextRequest extends Request = Request>(
  gatehouse: Gatehouse,
  options: NextGateOptions<NextRequest>,
): (request: NextRequest) => Promise<Response> {
  return async (request) => {
    const verdict = await judge(gatehouse, toVisit(request), options);
    if (verdict.open) {
      const headers = withoutOurs(request.headers);
      headers.set(visitorHeader, await gatehouse.sessions.seal(verdict.visitor));
      return options.NextResponse.next({ request: { headers } });
    }
    const denied = verdict.visitor && (await options.denied?.(request));
    // To Next, no response and this one mean that the request may pass.
    if (denied && !denied.headers.has('x-middleware-next')) return denied;
    const { status, headers, body } = verdict.answer;
    return new Response(body, { status, headers });
  };
}

/**
 * Who asks: what the gate found out, for pages, layouts, route handlers and server actions. Takes what `headers()` of
 * `next/headers` gives. @throws Error when the request has not been through the gate, whatever its headers say
 */
export async function visitorOf(
  gatehouse: Gatehouse,
  headers: { get(name: string): string | null },
): Promise<VerifiedSession> {
  const visitor = await gatehouse.sessions.unseal(headers.get(visitorHeader) ?? '');
  if (visitor === undefined) throw new Error('This request has not been through the gate.');
  return visitor;
}

function withoutOurs(given: Headers): Headers {
  const headers = new Headers(given);
  for (const name of [...headers.keys()]) if (name.startsWith(headerPrefix)) headers.delete(name);
  return headers;
}

function toVisit({ method, url, headers }: Request): Visit {
  return {
    method,
    path: toPath(url),
    cookies: headers.get('cookie') ?? '',
    accept: headers.get('accept') ?? '',
  };
}

/** Other ways in which Next gives out a page. It makes the path of the page of them itself, unless it is told not to. */
const otherWays = /\/_next\/data(\/|$)|\.rsc$|\.segments(\/|$)/i;
const nobodysPath = '';

/** The path by which access is decided, with the base path, which `nextUrl.pathname` lacks. */
function toPath(url: string): string {
  const { pathname, search, searchParams } = new URL(url);
  if (otherWays.test(pathname)) return nobodysPath;
  if (!/\/_next\/image\/?$/i.test(pathname)) return pathname + search;
  // Gives out a smaller copy of an image of this site, which may be one that not everybody may see.
  const [image, ...more] = searchParams.getAll('url');
  if (image === undefined || more.length > 0) return nobodysPath;
  return image.startsWith('/') ? image : pathname;
}
