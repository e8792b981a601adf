import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Outcome } from './call.ts';
import { sendComplaint } from './error-answer.ts';

/** The result of an action, or why it was refused. */
export function sendOutcome(request: FastifyRequest, reply: FastifyReply, outcome: Outcome): FastifyReply {
  if (outcome.kind === 'refused') return sendComplaint(request, reply, outcome);
  if (outcome.payload === '"signed_out"') return sendSignedOut(request, reply);
  return reply.type('application/json; charset=utf-8').send(outcome.payload);
}

/** Has the dashboard ask the operator to sign in again. */
export function sendSignedOut(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const error = { code: 'signed_out', message: 'Sign in again to go on.', requestId: request.id };
  return reply.code(401).type('application/json; charset=utf-8').send({ error });
}
