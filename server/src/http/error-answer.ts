import { type ErrorBody, type ErrorCode, errorStatus } from '@gatehouse/contract';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { Refusal, type RefusalDetail } from '../base/refusal.ts';
import { StoreUnavailable } from '../storage/errors.ts';

const retryAfterSeconds = 1;

interface Complaint {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details?: readonly RefusalDetail[] | undefined;
}

/** The body of every answer of 400 and above. */
export function errorBody({ code, message, details }: Complaint, requestId: string): ErrorBody {
  return { error: { code, message, requestId, ...(details && { details: [...details] }) } };
}

export function sendComplaint(
  request: FastifyRequest,
  reply: FastifyReply,
  complaint: Complaint,
): FastifyReply {
  const { code } = complaint;
  if (errorStatus[code] === 401) reply.header('www-authenticate', 'Bearer');
  if (errorStatus[code] < 500) request.server.requestLog.refused(request, errorStatus[code], code);
  if (code === 'unavailable') reply.header('retry-after', retryAfterSeconds);
  return reply
    .code(errorStatus[code])
    .header('content-type', 'application/json; charset=utf-8')
    .send(JSON.stringify(errorBody(complaint, request.id)));
}

/** Turns whatever was thrown while a request ran into an answer; what nobody expected is logged and not shown. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof Refusal) return sendComplaint(request, reply, error);
  if (error instanceof StoreUnavailable) {
    request.log.warn({ requestId: request.id, err: error }, 'the store is unavailable');
    return sendComplaint(request, reply, {
      code: 'unavailable',
      message: 'The store cannot be reached at the moment. Repeat the request in a moment.',
    });
  }
  const known = frameworkErrors[(error as FastifyError)?.code ?? ''];
  if (known) return sendComplaint(request, reply, known);
  request.log.error({ requestId: request.id, err: error }, 'a request failed');
  return sendComplaint(request, reply, {
    code: 'internal_error',
    message:
      'Something went wrong on our side. Repeat the request later; if it fails again, ask for help and name the request id.',
  });
}

const frameworkErrors: Readonly<Record<string, Complaint>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: {
    code: 'body_too_large',
    message: 'The body is larger than 1 MiB. Split the request.',
  },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    code: 'unsupported_media_type',
    message: 'The body is not marked as JSON. Send JSON with the header Content-Type: application/json.',
  },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: {
    code: 'invalid_json',
    message: 'The body is not as long as Content-Length says. Send the whole body.',
  },
  FST_ERR_BAD_URL: {
    code: 'invalid_request',
    message: 'The percent-encoding of the path is broken. Correct the path.',
  },
  FST_ERR_MAX_PARAM_LENGTH: { code: 'uri_too_long', message: 'The path is too long. Shorten it.' },
};
