import type { OperationShape } from '@gatehouse/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendErrorResponse } from './error-response.ts';

/**
 * Creates the handler for requests that match no operation. It distinguishes an unknown path from a known path with
 * another method.
 */
export function unknownPathHandler(
  operations: readonly OperationShape[],
  prefix: string,
  notFoundMessage: string,
): (request: FastifyRequest, reply: FastifyReply) => FastifyReply {
  const patterns = operations.map(({ method, path }) => ({
    method,
    pattern: new RegExp(`^${prefix}${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }));
  return (request, reply) => {
    const path = request.url.split('?', 1)[0]!;
    const methods = patterns.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
    if (methods.length === 0) {
      return sendErrorResponse(request, reply, { code: 'not_found', message: notFoundMessage });
    }
    const allowed = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
    const allow = [...new Set(allowed)].join(', ');
    reply.header('allow', allow);
    return sendErrorResponse(request, reply, {
      code: 'method_not_allowed',
      message: `This path does not support this method. Use one of ${allow}.`,
    });
  };
}
