import type { Gatehouse } from '../gatehouse.ts';
import type { VerifiedSession } from '../types.ts';
import { type GateOptions, judge, type Visit } from './gate.ts';
import { readVisitor } from './node-request.ts';

export type { VerifiedSession } from '../types.ts';
export type { GateOptions } from './gate.ts';

/** The parts of a context of Hono that the gate uses. */
export interface HonoContext {
  readonly req: { readonly raw: Request };
  readonly env: unknown;
  get(key: never): unknown;
  set(key: never, value: never): void;
}

export interface HonoGateOptions<Context> extends GateOptions {
  /** Answers a member who may not see this: give the response its status, 403. A plain page when left out. */
  denied?: ((context: Context) => Response | Promise<Response>) | undefined;
}

/**
 * Middleware for Hono that lets pass only who may see the path by the site's access rules. It asks Gatehouse at every
 * request, and stays shut when it gets no answer.
 */
export function gate<Context extends HonoContext = HonoContext>(
  gatehouse: Gatehouse,
  options: HonoGateOptions<Context> = {},
): (context: Context, next: () => Promise<void>) => Promise<Response | undefined> {
  return async (context, next) => {
    const verdict = await judge(gatehouse, toVisit(context), options);
    context.set('gatehouse' as never, verdict.visitor as never);
    if (verdict.open) {
      await next();
      return undefined;
    }
    const { status, headers, body } = verdict.answer;
    const denied = verdict.visitor && (await options.denied?.(context));
    return denied ?? new Response(body, { status, headers });
  };
}

/** Who asks: what the gate found out. Also at `c.get('gatehouse')`. @throws Error when the request has not been through the gate */
export function visitorOf(context: HonoContext): VerifiedSession {
  return readVisitor(context.get('gatehouse' as never) as VerifiedSession | undefined);
}

function toVisit({ req, env }: HonoContext): Visit {
  const { method, url, headers } = req.raw;
  return {
    method,
    path: receivedPath(env) ?? url.slice(url.indexOf('/', url.indexOf('://') + 3)),
    cookies: headers.get('cookie') ?? '',
    accept: headers.get('accept') ?? '',
  };
}

/** On Node the request as it came is at hand, before a URL was made of it and a mounted application was given the rest of it. */
function receivedPath(env: unknown): string | undefined {
  const { incoming } = (env ?? {}) as { incoming?: { originalUrl?: unknown; url?: unknown } };
  const path = incoming?.originalUrl ?? incoming?.url;
  return typeof path === 'string' ? path : undefined;
}
