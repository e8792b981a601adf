import type { Gatehouse } from '../gatehouse.ts';
import type { VerifiedSession } from '../types.ts';
import { type GateOptions, judge } from './gate.ts';
import { type Gated, type NodeRequest, readVisitor, toVisit } from './node-request.ts';

export type { VerifiedSession } from '../types.ts';
export type { GateOptions } from './gate.ts';

/** The parts of a request of Express that the gate reads. */
export type ExpressRequest = NodeRequest;

/** The parts of a response of Express that the gate uses. */
export interface ExpressResponse {
  statusCode: number;
  setHeader(name: string, value: string): unknown;
  end(body: string): unknown;
}

export interface ExpressGateOptions<Request, Response> extends GateOptions {
  /** Answers, with 403 unless it says otherwise, a member who may not see this. A plain page when left out. */
  denied?: ((request: Request, response: Response) => unknown) | undefined;
}

/**
 * Middleware for Express 4 and 5 that lets pass only who may see the path by the site's access rules. It asks Gatehouse at
 * every request, and stays shut when it gets no answer.
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
      const verdict = await judge(gatehouse, toVisit(request), options);
      (request as Gated).gatehouse = verdict.visitor;
      if (!verdict.open) {
        response.statusCode = verdict.answer.status;
        if (verdict.visitor && options.denied) {
          response.setHeader('cache-control', 'no-store');
          await options.denied(request, response);
          return;
        }
        for (const [name, value] of Object.entries(verdict.answer.headers)) response.setHeader(name, value);
        response.end(verdict.answer.body);
        return;
      }
    } catch (error) {
      next(error);
      return;
    }
    next();
  };
}

/** Who asks: what the gate found out. Also at `request.gatehouse`. @throws Error when the request has not been through the gate */
export function visitorOf(request: object): VerifiedSession {
  return readVisitor((request as Gated).gatehouse);
}
