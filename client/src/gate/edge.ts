import type { Gatehouse } from '../gatehouse.ts';
import type { TokenOptions } from '../tokens/token-options.ts';
import { TokenVerifier } from '../tokens/token-verifier.ts';
import type { VerifiedSession } from '../types.ts';
import type { EdgeVisitor } from './edge-tokens.ts';
import { EdgeTokens } from './edge-tokens.ts';
import { checkVisit, isForEverybody, type Visit } from './gate.ts';

export type { VerifiedSession } from '../types.ts';
export type { EdgeVisitor } from './edge-tokens.ts';

/** Responds to a request that the gate allows. */
export type ServePage<WorkerRequest extends Request> = (
  request: WorkerRequest,
  visitor: EdgeVisitor,
) => Response | Promise<Response>;

export interface EdgeGateOptions<WorkerRequest> extends TokenOptions {
  /** Called with the error if Gatehouse is unavailable. Defaults to writing it to the console. */
  onError?: ((error: unknown) => void) | undefined;
  /** Responds to a member without access; the response should have the status 403. Defaults to a plain page. */
  denied?: ((request: WorkerRequest, visitor: VerifiedSession) => Response | Promise<Response>) | undefined;
}

/**
 * A gate for CDN workers, with standard `Request` and `Response`. It checks requests with Gatehouse, and uses a decision
 * again for the same visitor and the same page for up to a minute, from a signed token in a cookie. If Gatehouse is
 * unavailable, it denies access to everything else.
 * @throws TypeError if `origin` is not an `https` URL
 */
export function gate<WorkerRequest extends Request = Request>(
  gatehouse: Gatehouse,
  options: EdgeGateOptions<WorkerRequest>,
): (request: WorkerRequest, serve: ServePage<WorkerRequest>) => Promise<Response> {
  const { host, protocol } = new URL(options.origin);
  if (protocol !== 'https:')
    throw new TypeError('The origin of a site at the edge must begin with https://.');
  const tokens = new EdgeTokens(new TokenVerifier('edge', options));
  return async (request, serve) => {
    // The rules of another host may be others.
    if (new URL(request.url).host !== host) return wrongHost();
    const visit = toVisit(request);
    const known = await tokens.find(visit);
    if (known) {
      const response = await serve(request, known);
      return known.memberId === null && !known.byCode ? response : asPrivate(response);
    }
    const edgeToken = tokens.mayKeep(visit);
    const decision = await checkVisit(gatehouse, visit, { onError: options.onError, host }, { edgeToken });
    if (!decision.allowed) {
      const { status, headers, body } = decision.response;
      const denied = decision.visitor && (await options.denied?.(request, decision.visitor));
      const response = denied ?? new Response(body, { status, headers });
      return status === 503 ? response : tokens.remove(visit, response);
    }
    const { member, pageCode } = decision.visitor;
    const visitor = { memberId: member?.id ?? null, byCode: Boolean(pageCode) };
    const page = await serve(request, visitor);
    const response = isForEverybody(decision.visitor) ? page : asPrivate(page);
    return tokens.keep(response, edgeToken ? decision.visitor.edgeToken : null);
  };
}

/** Headers with which a program tells the cache of a CDN what to store, whatever `Cache-Control` says (RFC 9213). */
const cacheHeader = /^(?:expires|(?:surrogate|edge)-control|x-accel-expires|[\w-]+-cache-control)$/;
/** Directives that let others use a page, or that limit `private` to some headers (RFC 9111, section 5.2.2). */
const sharing = /^(?:public$|s-maxage\b|private\b|proxy-revalidate$)/i;

/** What is not for everyone must not be stored in a cache that others use. */
function asPrivate(response: Response): Response {
  // A response that opens a WebSocket cannot be changed.
  if (response.status === 101) return response;
  const control = response.headers.get('cache-control') ?? '';
  const others = control.split(',').map((each) => each.trim());
  const unchanged = others.filter((each) => each !== '' && !sharing.test(each));
  const changed = new Response(response.body, response);
  changed.headers.set('cache-control', ['private', ...unchanged].join(', '));
  for (const name of [...changed.headers.keys()]) if (cacheHeader.test(name)) changed.headers.delete(name);
  return changed;
}

/** A request for another host than that of the gate (RFC 9110, section 15.5.20). */
function wrongHost(): Response {
  const headers = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' };
  return new Response('This URL does not belong to the site.\n', { status: 421, headers });
}

function toVisit({ method, url, headers }: Request): Visit {
  return {
    method,
    path: url.slice(url.indexOf('/', url.indexOf('://') + 3)),
    cookies: headers.get('cookie') ?? '',
    header: (name) => headers.get(name) ?? undefined,
    headerNames: [...headers.keys()],
  };
}
