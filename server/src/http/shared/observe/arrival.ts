import type { IncomingMessage } from 'node:http';

/** Whether a body follows the headers of a request (RFC 9112, section 6.3). */
export function hasBody({ headers }: IncomingMessage): boolean {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = headers;
  return encoding !== undefined || Number(length) > 0;
}

/**
 * Ends the connection of a request that has not arrived completely after this time, for servers that allow others to
 * arrive more slowly. Returns a function that lifts the limit.
 */
export function limitArrival(request: IncomingMessage, seconds: number): () => void {
  if (!hasBody(request)) return () => {};
  const timer = setTimeout(() => {
    if (!request.complete) request.socket.destroy();
  }, seconds * 1_000).unref();
  const lift = () => clearTimeout(timer);
  request.once('close', lift);
  return lift;
}
