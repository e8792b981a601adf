import { type Operation, takesIdempotencyKey, takesIfMatch } from '@gatehouse/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from '../../base/api-error.ts';
import type { Clock } from '../../base/clock.ts';
import type { SeenSession } from '../../domain/sessions/session.ts';
import type { Call, Idempotency, OperationRunner } from '../../runtime/call.ts';
import { parseIdempotencyKey } from '../../runtime/idempotency.ts';
import { answerKey, fingerprintOf } from '../../runtime/stored-reply.ts';
import type { Admission } from '../shared/admission.ts';
import { secretOf } from '../shared/authentication.ts';
import { compileShapeCheck } from '../shared/json/validation.ts';
import { sendOutcome } from './operation-reply.ts';

/** The path prefix of the API. */
export const apiPrefix = '/api/v1';

export interface OperationParts {
  readonly admission: Admission;
  /** Returns the runner for an operation. */
  readonly runnerFor: (operation: Operation, call: Call) => OperationRunner;
  /** Called when a session is used for the first time in a while. */
  readonly onSeen: (siteId: string, session: SeenSession) => void;
  readonly clock: Clock;
}

/** Adds the route of an operation. The request was already admitted when its headers arrived. */
export function addOperation(server: FastifyInstance, parts: OperationParts, operation: Operation): void {
  const checkShape = compileShapeCheck(operation);
  server.route({
    method: operation.method,
    url: operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    config: { operation },
    handler: async (request, reply) => {
      const { params, query } = request;
      if (operation.body !== null && request.headers['content-type'] === undefined) throw missingMediaType();
      const shape = { params, query, body: operation.body === null ? undefined : request.body };
      checkShape(shape);
      // The body may have taken a while to arrive, and the caller may have lost the permission in the meantime.
      if (operation.body !== null) request.caller = await parts.admission.admitAgain(request, operation);
      const call = toCall(operation, request, shape, parts.clock);
      const outcome = await parts.runnerFor(operation, call).perform(call);
      if (outcome.kind === 'success' && outcome.seen) parts.onSeen(call.siteId, outcome.seen);
      return sendOutcome(operation, request, reply, outcome);
    },
  });
}

function toCall(
  operation: Operation,
  request: FastifyRequest,
  shape: Pick<Call, 'params' | 'query' | 'body'>,
  clock: Clock,
): Call {
  const { siteId, actor, permissions } = request.caller!;
  const idempotencyKey = takesIdempotencyKey(operation)
    ? single(request.headers['idempotency-key'])
    : undefined;
  const target = request.url.slice(apiPrefix.length);
  return {
    operationId: operation.id as Call['operationId'],
    changes: operation.method !== 'GET' && !operation.readOnly,
    siteId,
    permissions,
    changeContext: { actor, requestId: request.id, clientAddress: request.ip, at: clock().toISOString() },
    ...shape,
    target,
    ifMatch: takesIfMatch(operation) ? request.headers['if-match'] : undefined,
    idempotency:
      idempotencyKey === undefined
        ? undefined
        : toIdempotency(parseIdempotencyKey(idempotencyKey), request, siteId, target, shape.body),
  };
}

function toIdempotency(
  key: string,
  { method, headers }: FastifyRequest,
  siteId: string,
  target: string,
  body: unknown,
): Idempotency {
  const secret = secretOf(headers.authorization!)!;
  const sealedWith = answerKey(secret, siteId, key);
  return { key, fingerprint: fingerprintOf(sealedWith, method, target, body), answerKey: sealedWith };
}

function single(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(', ') : header;
}

function missingMediaType(): ApiError {
  return new ApiError(
    'unsupported_media_type',
    'The body is not declared as JSON. Send it with the header Content-Type: application/json.',
  );
}
