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
  return sendError(request, reply, 401, 'signed_out', 'Sign in again to go on.');
}

/** Has the dashboard start anew: the page belongs to another operator than the session. */
export function sendOtherOperator(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const message = 'Reload the page: somebody else has signed in in this browser.';
  return sendError(request, reply, 409, 'other_operator', message);
}

function sendError(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  code: string,
  message: string,
): FastifyReply {
  const error = { code, message, requestId: request.id };
  request.server.requestLog.refused(request, status, code);
  return reply.code(status).type('application/json; charset=utf-8').send({ error });
}
