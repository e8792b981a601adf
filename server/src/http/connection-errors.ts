import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { type ErrorCode, errorStatus } from '@gatehouse/contract';
import { responseInTurn } from './connections.ts';
import { errorBody } from './error-answer.ts';
import { addressBucket, type RateLimits } from './rate-limit.ts';
import type { RequestLog } from './request-log.ts';
import { commonHeaders, rateLimitHeaders } from './response-headers.ts';

const complaints: Readonly<Record<string, { code: ErrorCode; message: string }>> = {
  HPE_HEADER_OVERFLOW: {
    code: 'headers_too_large',
    message: 'The address and the headers are longer than 16 KiB together. Shorten them.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    code: 'request_timeout',
    message: 'The request took too long to arrive. Send the whole request at once.',
  },
};
const malformed = {
  code: 'invalid_request' as const,
  message: 'This request cannot be parsed. Send a valid HTTP/1.1 request.',
};

/** The parser goes on to complain of every further byte. */
const complained = new WeakSet<Socket>();

/** Answers what the HTTP parser refuses, in the form of every other answer, and closes the connection. */
export async function answerConnectionError(
  error: NodeJS.ErrnoException,
  socket: Socket,
  { limits, requestLog }: { limits: RateLimits; requestLog: RequestLog },
  unauthenticatedLimit: number,
): Promise<void> {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  if (complained.has(socket)) return;
  complained.add(socket);
  await earlierAnswers(socket);
  const allowance = await limits.consume(addressBucket(socket.remoteAddress ?? ''), unauthenticatedLimit);
  if (!socket.writable) return void socket.destroy();
  const complaint = complaints[error.code ?? ''] ?? malformed;
  const status = errorStatus[complaint.code];
  const requestId = randomUUID();
  const body = JSON.stringify(errorBody(complaint, requestId));
  requestLog.unreadable(requestId, status, complaint.code, socket.remoteAddress ?? '');
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
}

/**
 * Waits for the answers to requests that came whole before the broken one: an answer sent out of turn would be taken
 * for theirs.
 */
async function earlierAnswers(socket: Socket): Promise<void> {
  for (
    let response = responseInTurn(socket);
    response?.req.complete && socket.writable;
    response = responseInTurn(socket)
  ) {
    await once(response, 'close');
  }
}
