import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { type ErrorCode, errorStatus } from '@gatehouse/contract';
import type { MessagePage } from '../../pages/pages.ts';
import type { ErrorPages, FailedRequest } from '../shared/errors/error-pages.ts';
import { errorBody } from '../shared/errors/error-response.ts';
import { addressBucket, type RateLimits, rateLimitHeaders } from '../shared/limits/rate-limit.ts';
import type { RequestLog } from '../shared/observe/request-log.ts';
import { commonHeaders } from '../shared/requests/response-headers.ts';
import { currentResponse } from './http-socket.ts';

interface ConnectionError {
  readonly code: ErrorCode;
  readonly message: string;
  /** The page that says so to visitors. */
  readonly page: MessagePage['kind'];
}

const parserErrors: Readonly<Record<string, ConnectionError>> = {
  HPE_HEADER_OVERFLOW: {
    code: 'headers_too_large',
    message: 'The URL and the headers together are longer than 16 KiB. Shorten them.',
    page: 'too_large',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    code: 'request_timeout',
    message: 'The request took too long to arrive. Send it again, without pauses.',
    page: 'too_slow',
  },
};
const malformed: ConnectionError = {
  code: 'invalid_request',
  message: 'This request cannot be parsed. Send a valid HTTP/1.1 request.',
  page: 'bad_request',
};

const maxCloseMilliseconds = 2_000;
/** More than the parser reads of a request. */
const maxHeadBytes = 32 * 1024;

/** The parser reports an error for every further byte. */
const handled = new WeakSet<Socket>();

export interface ConnectionErrorParts {
  readonly limits: RateLimits;
  readonly requestLog: RequestLog;
  readonly errorPages: ErrorPages;
}

/**
 * Responds to a request that the HTTP parser rejects like any other that fails, with an error response or with a page, and closes
 * the connection.
 * @param error with the bytes that the parser has rejected, if they were bytes
 */
export async function respondToConnectionError(
  error: NodeJS.ErrnoException & { readonly rawPacket?: Buffer },
  socket: Socket,
  { limits, requestLog, errorPages }: ConnectionErrorParts,
  unauthenticatedLimit: number,
): Promise<void> {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  if (handled.has(socket)) return;
  handled.add(socket);
  await earlierResponses(socket);
  const allowance = await limits.consume(addressBucket(socket.remoteAddress ?? ''), unauthenticatedLimit);
  const failure = parserErrors[error.code ?? ''] ?? malformed;
  const sender = socket.remoteAddress ?? '';
  const page = await errorPages.pageFor(failedRequest(socket, error.rawPacket), failure.page);
  // The error response would become a part of a response that has begun.
  if (!socket.writable || currentResponse(socket)?.headersSent) return void socket.destroy();
  const status = errorStatus[failure.code];
  const requestId = randomUUID();
  const body = page?.body ?? JSON.stringify(errorBody(failure, requestId));
  requestLog.unreadable(requestId, status, failure.code, sender);
  const headers = {
    ...(page?.headers ?? { ...commonHeaders, 'content-type': 'application/json; charset=utf-8' }),
    ...rateLimitHeaders(allowance),
    'x-request-id': requestId,
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
  // A request that was too slow must not be processed when its rest arrives after all.
  if (failure.code === 'request_timeout') socket.destroySoon();
  else closeWithin(socket, maxCloseMilliseconds);
}

/**
 * What can be known of a request that has no object: that of a slow body has one, and otherwise the request line is
 * where the bytes begin, unless the request has arrived in several pieces.
 */
function failedRequest(socket: Socket, packet: Buffer | undefined): FailedRequest {
  const sender = socket.remoteAddress ?? '';
  const pending = currentResponse(socket)?.req;
  if (packet === undefined && pending !== undefined) {
    return { target: pending.url, acceptLanguage: pending.headers['accept-language'], sender };
  }
  const head = packet?.toString('latin1', 0, maxHeadBytes) ?? '';
  const [, target] = /^[A-Z]{1,20} (\/[^ \r\n]*)/.exec(head) ?? [];
  const [, acceptLanguage] = /\r\naccept-language:[ \t]*([^\r\n]*)/i.exec(head) ?? [];
  return { target, acceptLanguage, sender };
}

/** Closes a connection whose client does not. Earlier, the client might lose the response. */
function closeWithin(socket: Socket, milliseconds: number): void {
  const timer = setTimeout(() => socket.destroy(), milliseconds).unref();
  socket.once('close', () => clearTimeout(timer));
}

/**
 * Waits for the responses to complete requests that arrived before the broken one: a response sent too early would be
 * taken for one of theirs.
 */
async function earlierResponses(socket: Socket): Promise<void> {
  for (
    let response = currentResponse(socket);
    response?.req.complete && socket.writable;
    response = currentResponse(socket)
  ) {
    await once(response, 'close');
  }
}
