import type { IncomingMessage } from 'node:http';

/**
 * Ends the connection of a request that has not arrived completely after this time, for servers that allow others to
 * arrive more slowly. Returns a function that lifts the limit.
 */
export function limitArrival(request: IncomingMessage, seconds: number): () => void {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  if (encoding === undefined && (length === undefined || Number(length) === 0)) return () => {};
  const timer = setTimeout(() => {
    if (!request.complete) request.socket.destroy();
  }, seconds * 1_000).unref();
  const lift = () => clearTimeout(timer);
  request.once('close', lift);
  return lift;
}
