import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { type ErrorCode, errorStatus } from '@gatehouse/contract';
import { errorBody } from './error-answer.ts';
import { addressBucket, type RateLimits } from './rate-limit.ts';
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
  limits: RateLimits,
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
  // Node keeps the answer whose turn it is here, and its own handler of such errors asks for it too.
  const answerInTurn = () => (socket as { _httpMessage?: ServerResponse | null })._httpMessage;
  for (let answer = answerInTurn(); answer?.req.complete && socket.writable; answer = answerInTurn()) {
    await once(answer, 'close');
  }
}
