import { type Operation, openApiDocument, operations } from '@gatehouse/contract';
import type { FastifyInstance } from 'fastify';
import type { CallResponse } from '../../runtime/call.ts';
import { compileShapeCheck } from '../shared/json/validation.ts';
import { sendResponse } from './operation-response.ts';

/** The only operation without a key, and therefore without a site: its response is always the same. */
export function addOpenApi(server: FastifyInstance, version: string): void {
  const operation: Operation = operations.getOpenApi;
  const checkShape = compileShapeCheck(operation);
  let response: CallResponse | undefined;
  server.get(operation.path, { config: { operation } }, (request, reply) => {
    checkShape({ params: request.params, query: request.query, body: undefined });
    // Written for the first request: writing it would delay the start of the service.
    response ??= { kind: 'success', payload: JSON.stringify(openApiDocument({ version })), headers: {} };
    return sendResponse(operation, request, reply, response);
  });
}
