import type { FastifyReply, FastifyRequest } from 'fastify';
import { onlyAsLoginPage, onlyPressed } from '../../shared/requests/page-request.ts';
import { isOfMember, type WrongForm } from './join-forms.ts';

/**
 * The code of an invitation is in the address of its page: no other page gets to know it. With `no-referrer` the browser
 * would send the form without an origin to check.
 */
const headers = { 'referrer-policy': 'strict-origin' };

/** For the pages. */
export const onJoinPage = {
  ...onlyAsLoginPage,
  preHandler: async (_: FastifyRequest, reply: FastifyReply) => {
    reply.headers(headers);
  },
};

/** For the forms: that of a member acts as the visitor. */
export const onlyPressedByMember = {
  preHandler: async (request: FastifyRequest, reply: FastifyReply) => {
    reply.headers(headers);
    return isOfMember(request) ? onlyPressed.onRequest(request, reply) : undefined;
  },
};

/** The status of a page with a form. */
export function statusOf(wrong: WrongForm | undefined): number {
  if (!wrong) return 200;
  return wrong.problem.kind === 'too_many' ? 429 : 400;
}
