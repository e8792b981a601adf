import type { Gatehouse } from '../gatehouse.ts';
import type { VerifiedSession } from '../types.ts';
import { cacheControlOf, checkVisit, type GateOptions } from './gate.ts';
import { type Gated, type NodeRequest, readVisitor, toVisit } from './node-request.ts';

export type { VerifiedSession } from '../types.ts';
export type { GateOptions } from './gate.ts';

/** The parts of an Express request that the gate reads. */
export type ExpressRequest = NodeRequest;

/** The parts of an Express response that the gate uses. */
export interface ExpressResponse {
  statusCode: number;
  setHeader(name: string, value: string): unknown;
  end(body: string): unknown;
}

export interface ExpressGateOptions<Request, Response> extends GateOptions {
  /** Responds to a member without access, with status 403 unless it sets another one. Defaults to a plain page. */
  denied?: ((request: Request, response: Response) => unknown) | undefined;
}

/**
 * Middleware for Express 4 and 5 that allows only requests with access to the path by the access rules of the site. It
 * checks every request with Gatehouse and denies access if Gatehouse is unavailable.
 */
export function gate<
  Request extends ExpressRequest = ExpressRequest,
  Response extends ExpressResponse = ExpressResponse,
>(
  gatehouse: Gatehouse,
  options: ExpressGateOptions<Request, Response> = {},
): (request: Request, response: Response, next: (error?: unknown) => void) => Promise<void> {
  return async (request, response, next) => {
    try {
      const decision = await checkVisit(gatehouse, toVisit(request), options);
      (request as Gated).gatehouse = decision.visitor;
      if (!decision.allowed) {
        response.statusCode = decision.response.status;
        if (decision.visitor && options.denied) {
          response.setHeader('cache-control', 'no-store');
          await options.denied(request, response);
          return;
        }
        for (const [name, value] of Object.entries(decision.response.headers))
          response.setHeader(name, value);
        response.end(decision.response.body);
        return;
      }
      const cacheControl = cacheControlOf(decision.visitor);
      if (cacheControl !== undefined) response.setHeader('cache-control', cacheControl);
    } catch (error) {
      next(error);
      return;
    }
    next();
  };
}

/**
 * The visitor as verified by the gate. Also at `request.gatehouse`.
 * @throws Error if the request has not passed the gate
 */
export function visitorOf(request: object): VerifiedSession {
  return readVisitor((request as Gated).gatehouse);
}
