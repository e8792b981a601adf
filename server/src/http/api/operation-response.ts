import { acceptsIfNoneMatch, type Operation } from '@gatehouse/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CallResponse } from '../../runtime/call.ts';
import { etagOf } from '../../runtime/operation-runner.ts';
import { sendErrorResponse } from '../shared/errors/error-response.ts';

/** Sends the response of an operation: its body with status and ETag, or its error. */
export function sendResponse(
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
  response: CallResponse,
): FastifyReply {
  reply.headers(response.headers);
  if (response.kind === 'rejected') return sendErrorResponse(request, reply, response);
  const { payload } = response;
  reply.code(operation.success.status);
  if (payload === null) return reply.send();
  if (operation.success.headers.includes('ETag')) {
    const etag = etagOf(payload);
    reply.header('etag', etag);
    if (acceptsIfNoneMatch(operation) && isUnchanged(request.headers['if-none-match'], etag)) {
      return reply.code(304).send();
    }
  }
  return reply.header('content-type', 'application/json; charset=utf-8').send(payload);
}

/** `If-None-Match` (RFC 9110, section 13.1.2), compared weakly. */
function isUnchanged(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag);
}
