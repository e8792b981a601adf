import type { Gatehouse } from '../gatehouse.ts';
import type { VerifiedSession } from '../types.ts';
import { cacheControlOf, checkVisit, type GateOptions } from './gate.ts';
import { type Gated, type NodeRequest, readVisitor, toVisit } from './node-request.ts';

export type { VerifiedSession } from '../types.ts';
export type { GateOptions } from './gate.ts';

/** The parts of a Fastify request that the gate reads. */
export type FastifyRequest = NodeRequest;

/** The parts of a Fastify reply that the gate uses. */
export interface FastifyReply {
  readonly sent: boolean;
  code(status: number): unknown;
  headers(headers: Record<string, string>): unknown;
  send(body?: unknown): unknown;
}

export interface FastifyGateOptions<Request, Reply> extends GateOptions {
  /** Responds to a member without access, with status 403 unless it sets another one. Defaults to a plain page. */
  denied?: ((request: Request, reply: Reply) => unknown) | undefined;
}

/**
 * An `onRequest` hook for Fastify that allows only requests with access to the path by the access rules of the site. It
 * checks every request with Gatehouse and denies access if Gatehouse is unavailable. Add it before the plugins whose
 * routes it protects.
 */
export function gate<
  Request extends FastifyRequest = FastifyRequest,
  Reply extends FastifyReply = FastifyReply,
>(
  gatehouse: Gatehouse,
  options: FastifyGateOptions<Request, Reply> = {},
): (request: Request, reply: Reply) => Promise<unknown> {
  return async (request, reply) => {
    const decision = await checkVisit(gatehouse, toVisit(request), options);
    (request as Gated).gatehouse = decision.visitor;
    if (decision.allowed) {
      const cacheControl = cacheControlOf(decision.visitor);
      if (cacheControl !== undefined) reply.headers({ 'cache-control': cacheControl });
      return undefined;
    }
    reply.code(decision.response.status);
    if (decision.visitor && options.denied) {
      reply.headers({ 'cache-control': 'no-store' });
      const page = await options.denied(request, reply);
      if (!reply.sent) reply.send(page);
      return reply;
    }
    reply.headers(decision.response.headers);
    reply.send(decision.response.body);
    return reply;
  };
}

/**
 * The visitor as verified by the gate. Also at `request.gatehouse`.
 * @throws Error if the request has not passed the gate
 */
export function visitorOf(request: object): VerifiedSession {
  return readVisitor((request as Gated).gatehouse);
}
