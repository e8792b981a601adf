import type { Gatehouse } from '../gatehouse.ts';
import type { VerifiedSession } from '../types.ts';
import { type GateOptions, judge } from './gate.ts';
import { type Gated, type NodeRequest, readVisitor, toVisit } from './node-request.ts';

export type { VerifiedSession } from '../types.ts';
export type { GateOptions } from './gate.ts';

/** The parts of a request of Fastify that the gate reads. */
export type FastifyRequest = NodeRequest;

/** The parts of a reply of Fastify that the gate uses. */
export interface FastifyReply {
  readonly sent: boolean;
  code(status: number): unknown;
  headers(headers: Record<string, string>): unknown;
  send(body?: unknown): unknown;
}

export interface FastifyGateOptions<Request, Reply> extends GateOptions {
  /** Answers, with 403 unless it says otherwise, a member who may not see this. A plain page when left out. */
  denied?: ((request: Request, reply: Reply) => unknown) | undefined;
}

/**
 * A hook for Fastify's `onRequest` that lets pass only who may see the path by the site's access rules. It asks Gatehouse at
 * every request, and stays shut when it gets no answer. Add it before the plugins whose routes it is to guard.
 */
export function gate<
  Request extends FastifyRequest = FastifyRequest,
  Reply extends FastifyReply = FastifyReply,
>(
  gatehouse: Gatehouse,
  options: FastifyGateOptions<Request, Reply> = {},
): (request: Request, reply: Reply) => Promise<unknown> {
  return async (request, reply) => {
    const verdict = await judge(gatehouse, toVisit(request), options);
    (request as Gated).gatehouse = verdict.visitor;
    if (verdict.open) return undefined;
    reply.code(verdict.answer.status);
    if (verdict.visitor && options.denied) {
      reply.headers({ 'cache-control': 'no-store' });
      const page = await options.denied(request, reply);
      if (!reply.sent) reply.send(page);
      return reply;
    }
    reply.headers(verdict.answer.headers);
    reply.send(verdict.answer.body);
    return reply;
  };
}

/** Who asks: what the gate found out. Also at `request.gatehouse`. @throws Error when the request has not been through the gate */
export function visitorOf(request: object): VerifiedSession {
  return readVisitor((request as Gated).gatehouse);
}
