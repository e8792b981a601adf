import {
  type DashboardErrorBody,
  type DashboardErrorCode,
  dashboardErrorStatus,
} from '@gatehouse/contract/dashboard';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, type ErrorDetail } from '../../../base/api-error.ts';
import { StoreUnavailable } from '../../../storage/errors.ts';

const retryAfterSeconds = 1;

interface ErrorResponseBody {
  readonly code: DashboardErrorCode;
  readonly message: string;
  readonly details?: readonly ErrorDetail[] | undefined;
}

/** The body of every response with a status of 400 or above. */
export function errorBody(
  { code, message, details }: ErrorResponseBody,
  requestId: string,
): DashboardErrorBody {
  return { error: { code, message, requestId, ...(details && { details: [...details] }) } };
}

export function sendErrorResponse(
  request: FastifyRequest,
  reply: FastifyReply,
  error: ErrorResponseBody,
): FastifyReply {
  const { code } = error;
  const status = dashboardErrorStatus[code];
  // An operator's session is a cookie, for which HTTP has no authentication scheme.
  if (status === 401 && code !== 'logged_out') reply.header('www-authenticate', 'Bearer');
  if (status < 500) request.server.requestLog.rejected(request, status, code);
  if (code === 'unavailable') reply.header('retry-after', retryAfterSeconds);
  return reply
    .code(status)
    .header('content-type', 'application/json; charset=utf-8')
    .send(JSON.stringify(errorBody(error, request.id)));
}

export const pathNotFoundMessage =
  'This path does not exist. Check the path: the operations are listed at /docs.';

/** The error response for a path that belongs to no part of the server. */
export function sendNotFound(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return sendErrorResponse(request, reply, { code: 'not_found', message: pathNotFoundMessage });
}

/** Whether an error is the framework's rejection of QUERY, a method that no path supports. */
export function isMethodUnknown(error: unknown): boolean {
  return (error as FastifyError)?.code === 'FST_ERR_ROUTE_MISSING_CONTENT_TYPE';
}

/** Converts an error of a request into an error response. Unexpected errors are logged and not shown. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof ApiError) return sendErrorResponse(request, reply, error);
  if (error instanceof StoreUnavailable) {
    request.log.warn({ requestId: request.id, err: error }, 'the store is unavailable');
    return sendErrorResponse(request, reply, {
      code: 'unavailable',
      message: 'Gatehouse is temporarily unavailable. Send the request again in a moment.',
    });
  }
  const known = frameworkErrors[(error as FastifyError)?.code ?? ''];
  if (known) return sendErrorResponse(request, reply, known);
  request.log.error({ requestId: request.id, err: error }, 'a request failed');
  return sendErrorResponse(request, reply, {
    code: 'internal_error',
    message:
      'An error occurred in Gatehouse. Send the request again later. If it fails again, report the request ID.',
  });
}

const frameworkErrors: Readonly<Record<string, ErrorResponseBody>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: {
    code: 'body_too_large',
    message: 'The body is larger than 1 MiB. Split the request.',
  },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    code: 'unsupported_media_type',
    message: 'The body is not declared as JSON. Send it with the header Content-Type: application/json.',
  },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: {
    code: 'invalid_json',
    message: 'The length of the body differs from Content-Length. Send the whole body.',
  },
  FST_ERR_BAD_URL: {
    code: 'invalid_request',
    message: 'The percent-encoding of the path is invalid. Correct the path.',
  },
  FST_ERR_MAX_PARAM_LENGTH: { code: 'uri_too_long', message: 'The path is too long. Shorten it.' },
};
