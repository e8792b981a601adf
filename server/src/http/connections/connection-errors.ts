import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { type ErrorCode, errorStatus } from '@gatehouse/contract';
import { errorBody } from '../shared/error-reply.ts';
import { addressBucket, type RateLimits, rateLimitHeaders } from '../shared/rate-limit.ts';
import type { RequestLog } from '../shared/request-log.ts';
import { commonHeaders } from '../shared/response-headers.ts';
import { currentResponse } from './http-socket.ts';

const parserErrors: Readonly<Record<string, { code: ErrorCode; message: string }>> = {
  HPE_HEADER_OVERFLOW: {
    code: 'headers_too_large',
    message: 'The URL and the headers together are longer than 16 KiB. Shorten them.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    code: 'request_timeout',
    message: 'The request took too long to arrive. Send it again, without pauses.',
  },
};
const malformed = {
  code: 'invalid_request' as const,
  message: 'This request cannot be parsed. Send a valid HTTP/1.1 request.',
};

const maxCloseMilliseconds = 2_000;

/** The parser reports an error for every further byte. */
const answered = new WeakSet<Socket>();

/** Answers a request that the HTTP parser rejects with an error reply like any other, and closes the connection. */
export async function replyToConnectionError(
  error: NodeJS.ErrnoException,
  socket: Socket,
  { limits, requestLog }: { limits: RateLimits; requestLog: RequestLog },
  unauthenticatedLimit: number,
): Promise<void> {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  if (answered.has(socket)) return;
  answered.add(socket);
  await earlierResponses(socket);
  const allowance = await limits.consume(addressBucket(socket.remoteAddress ?? ''), unauthenticatedLimit);
  // The error reply would become a part of a response that has begun.
  if (!socket.writable || currentResponse(socket)?.headersSent) return void socket.destroy();
  const reply = parserErrors[error.code ?? ''] ?? malformed;
  const status = errorStatus[reply.code];
  const requestId = randomUUID();
  const body = JSON.stringify(errorBody(reply, requestId));
  requestLog.unreadable(requestId, status, reply.code, socket.remoteAddress ?? '');
  const headers = {
    ...commonHeaders,
    ...rateLimitHeaders(allowance),
    'x-request-id': requestId,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
  // A request that was too slow must not be processed when its rest arrives after all.
  if (reply.code === 'request_timeout') socket.destroySoon();
  else closeWithin(socket, maxCloseMilliseconds);
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
