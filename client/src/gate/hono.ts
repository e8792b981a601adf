import type { Gatehouse } from '../gatehouse.ts';
import type { VerifiedSession } from '../types.ts';
import { cacheControlOf, checkVisit, type GateOptions, type Visit } from './gate.ts';
import { readVisitor } from './node-request.ts';

export type { VerifiedSession } from '../types.ts';
export type { GateOptions } from './gate.ts';

/** The parts of a Hono context that the gate uses. */
export interface HonoContext {
  readonly req: { readonly raw: Request };
  readonly res: Response;
  readonly env: unknown;
  header(name: string, value: string): void;
  get(key: never): unknown;
  set(key: never, value: never): void;
}

export interface HonoGateOptions<Context> extends GateOptions {
  /** Responds to a member without access; the response should have the status 403. Defaults to a plain page. */
  denied?: ((context: Context) => Response | Promise<Response>) | undefined;
}

/**
 * Middleware for Hono that allows only requests with access to the path by the access rules of the site. It checks
 * every request with Gatehouse and denies access if Gatehouse is unavailable.
 */
export function gate<Context extends HonoContext = HonoContext>(
  gatehouse: Gatehouse,
  options: HonoGateOptions<Context> = {},
): (context: Context, next: () => Promise<void>) => Promise<Response | undefined> {
  return async (context, next) => {
    const decision = await checkVisit(gatehouse, toVisit(context), options);
    context.set('gatehouse' as never, decision.visitor as never);
    if (decision.allowed) {
      await next();
      const cacheControl = cacheControlOf(decision.visitor);
      if (cacheControl !== undefined && !context.res.headers.has('cache-control'))
        context.header('cache-control', cacheControl);
      return undefined;
    }
    const { status, headers, body } = decision.response;
    const denied = decision.visitor && (await options.denied?.(context));
    return denied ?? new Response(body, { status, headers });
  };
}

/**
 * The visitor as verified by the gate. Also at `c.get('gatehouse')`.
 * @throws Error if the request has not passed the gate
 */
export function visitorOf(context: HonoContext): VerifiedSession {
  return readVisitor(context.get('gatehouse' as never) as VerifiedSession | undefined);
}

function toVisit({ req, env }: HonoContext): Visit {
  const { method, url, headers } = req.raw;
  return {
    method,
    path: receivedPath(env) ?? url.slice(url.indexOf('/', url.indexOf('://') + 3)),
    cookies: headers.get('cookie') ?? '',
    header: (name) => headers.get(name) ?? undefined,
    headerNames: [...headers.keys()],
  };
}

/** On Node, the original path, before Hono normalized the URL or removed the prefix of a mounted application. */
function receivedPath(env: unknown): string | undefined {
  const { incoming } = (env ?? {}) as { incoming?: { originalUrl?: unknown; url?: unknown } };
  const path = incoming?.originalUrl ?? incoming?.url;
  return typeof path === 'string' ? path : undefined;
}
