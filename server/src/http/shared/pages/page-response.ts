import { dashboardErrorStatus } from '@gatehouse/contract/dashboard';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../../base/api-error.ts';
import { messagePage, type PageFrame } from '../../../pages/pages.ts';
import { StoreUnavailable } from '../../../storage/errors.ts';
import type { SecurityEvent } from '../observe/log-fields.ts';
import { isFromServiceWorker } from '../requests/page-navigation.ts';
import { frameOf, pageHeaders } from './page-frame.ts';

export function pageFrame(request: FastifyRequest): PageFrame {
  return frameOf(request.site!, request.headers['accept-language']);
}

/** @param event what a page with an error means for the log */
export function sendPage(
  reply: FastifyReply,
  page: string,
  status = 200,
  event?: SecurityEvent,
): FastifyReply {
  if (status >= 400 && status < 500) {
    reply.server.requestLog.rejected(reply.request, status, undefined, event);
  }
  // The framework drops the type when it handles an error.
  return reply.code(status).type(pageHeaders['content-type']).send(page);
}

const policy = 'content-security-policy';

/** Lets the scripts of a page send requests to this server. */
export function allowRequests(reply: FastifyReply): void {
  reply.header(policy, `${reply.getHeader(policy)}; connect-src 'self'`);
}

export function sendForbidden(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const kind = isFromServiceWorker(request.headers) ? 'service_worker' : 'bad_request';
  const page = messagePage(pageFrame(request), { kind, requestId: request.id });
  return sendPage(reply, page, 403, 'form.refused');
}

export function sendNotFoundPage(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return sendPage(reply, messagePage(pageFrame(request), { kind: 'not_found' }), 404);
}

/** @param wait in seconds */
export function sendTooMany(request: FastifyRequest, reply: FastifyReply, wait: number): FastifyReply {
  reply.header('retry-after', wait);
  const page = messagePage(pageFrame(request), { kind: 'too_many', waitMinutes: Math.ceil(wait / 60) });
  return sendPage(reply, page, 429);
}

export function sendErrorPage(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const status = statusOf(error);
  const kind = kindOf(status);
  const isWrong = kind === 'bad_request';
  if (status === 503 && !reply.hasHeader('retry-after')) reply.header('retry-after', 1);
  if (!isWrong) {
    const level = kind === 'unavailable' ? 'warn' : 'error';
    request.log[level]({ requestId: request.id, err: error }, 'a page failed');
  }
  if (request.site) {
    return sendPage(reply, messagePage(pageFrame(request), { kind, requestId: request.id }), status);
  }
  if (isWrong) request.server.requestLog.rejected(request, status);
  let text = isWrong ? wrongText : unavailableText;
  if (error instanceof ApiError) text = error.message;
  return reply
    .code(isWrong ? status : 503)
    .type('text/plain')
    .send(`${text}\n`);
}

function kindOf(status: number): 'bad_request' | 'unavailable' | 'internal_error' {
  if (status < 500) return 'bad_request';
  return status === 503 ? 'unavailable' : 'internal_error';
}

const wrongText = 'This request cannot be answered. Correct it.';
const unavailableText = 'Try again in a moment.';

/** Below 500 if the request is wrong. What anyone may send must not become an error in the log. */
function statusOf(error: unknown): number {
  if (error instanceof ApiError) return dashboardErrorStatus[error.code];
  if (error instanceof StoreUnavailable) return 503;
  const { statusCode } = error as { statusCode?: number };
  return statusCode !== undefined && statusCode >= 400 && statusCode < 500 ? statusCode : 500;
}
