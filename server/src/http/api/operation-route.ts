import { acceptsIdempotencyKey, acceptsIfMatch, type Operation } from '@gatehouse/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from '../../base/api-error.ts';
import type { Clock } from '../../base/clock.ts';
import { memberSessions, type SessionUse } from '../../domain/sessions/session.ts';
import type { Call, CallInput, CallRunner, Idempotency } from '../../runtime/call.ts';
import { parseIdempotencyKey } from '../../runtime/idempotency.ts';
import { deriveResponseKey, fingerprintOf } from '../../runtime/stored-response.ts';
import type { Admission } from '../shared/credentials/admission.ts';
import { secretOf } from '../shared/credentials/authentication.ts';
import { compileShapeCheck } from '../shared/json/validation.ts';
import { sendResponse } from './operation-response.ts';
import type { StoredResponseBudget } from './stored-response-budget.ts';

/** The path prefix of the API. */
export const apiPrefix = '/api/v1';

export interface OperationParts {
  readonly admission: Admission;
  /** Returns the runner for an operation. */
  readonly runnerFor: (call: Call) => CallRunner;
  /** Called when a session is used for the first time in a while. */
  readonly onSeen: (siteId: string, use: SessionUse) => void;
  readonly clock: Clock;
  readonly storedResponses: StoredResponseBudget;
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
      if (operation.maxPerMinute) await parts.admission.countCostly(reply, request.caller!, operation);
      const call = toCall(operation, request, shape, parts);
      const isAwaited = () => !reply.raw.destroyed;
      const response = await parts.runnerFor(call).run(call, isAwaited);
      if (response.storedBytes) void parts.storedResponses.count(request.caller!, response.storedBytes);
      if (response.kind === 'success' && response.seen)
        parts.onSeen(call.siteId, { ...response.seen, lifetime: memberSessions });
      return sendResponse(operation, request, reply, response);
    },
  });
}

function toCall(
  operation: Operation,
  request: FastifyRequest,
  shape: CallInput,
  { clock, storedResponses }: OperationParts,
): Call {
  const { siteId, actor, permissions } = request.caller!;
  // Node joins several values of this header to one, which is no valid key.
  const idempotencyKey = acceptsIdempotencyKey(operation)
    ? (request.headers['idempotency-key'] as string | undefined)
    : undefined;
  const target = request.url.slice(apiPrefix.length);
  return {
    operationId: operation.id as Call['operationId'],
    changes: operation.method !== 'GET' && !operation.readOnly,
    siteId,
    permissions,
    changeContext: { actor, requestId: request.id, ipAddress: request.ip, at: clock().toISOString() },
    ...shape,
    target,
    ifMatch: acceptsIfMatch(operation) ? request.headers['if-match'] : undefined,
    idempotency:
      idempotencyKey === undefined
        ? undefined
        : {
            ...toIdempotency(parseIdempotencyKey(idempotencyKey), request, siteId, target, shape.body),
            secondsToWait: storedResponses.secondsToWait(request.caller!),
          },
  };
}

function toIdempotency(
  key: string,
  { method, headers }: FastifyRequest,
  siteId: string,
  target: string,
  body: unknown,
): Omit<Idempotency, 'secondsToWait'> {
  const secret = secretOf(headers.authorization!)!;
  const responseKey = deriveResponseKey(secret, siteId, key);
  return { key, fingerprint: fingerprintOf(responseKey, method, target, body), responseKey };
}

function missingMediaType(): ApiError {
  return new ApiError(
    'unsupported_media_type',
    'The body is not declared as JSON. Send it with the header Content-Type: application/json.',
  );
}
