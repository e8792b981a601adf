import type { GatehouseError } from './error.ts';
import type { ApiRequest } from './request.ts';

const firstDelayMilliseconds = 500;
const maxDelayMilliseconds = 8_000;
/** The length of the rate limit window. If the service asks for a longer delay, the call fails instead. */
const maxRetryAfterSeconds = 60;

/**
 * How long to wait before the request is sent again; undefined if it should not be sent again. `retriesDone` counts
 * from 0.
 */
export function millisecondsToRetry(
  error: GatehouseError,
  request: Pick<ApiRequest, 'repeatable'>,
  retriesDone: number,
): number | undefined {
  if (!mayRetry(error, request.repeatable)) return undefined;
  const { retryAfterSeconds = 0 } = error;
  if (retryAfterSeconds > maxRetryAfterSeconds) return undefined;
  // Never earlier than requested, and not all clients at the same time.
  return retryAfterSeconds * 1_000 + backOff(retriesDone);
}

/**
 * Exponential backoff with jitter: doubles with every retry, up to 8 s; a random time between half of that and all of
 * it.
 */
export function backOff(retriesDone: number): number {
  const ceiling = Math.min(maxDelayMilliseconds, firstDelayMilliseconds * 2 ** retriesDone);
  return Math.round(ceiling * (0.5 + Math.random() / 2));
}

/** Whether the error is temporary. */
export function isTemporary({ code, status }: GatehouseError): boolean {
  return (
    code === 'network_error' ||
    code === 'timeout' ||
    code === 'idempotency_in_progress' ||
    status === 429 ||
    (status !== undefined && [408, 502, 503, 504].includes(status))
  );
}

/**
 * With 429, 503 and a first call that is still running, the service requests a retry. After the other errors it is
 * unknown whether the call took effect.
 */
function mayRetry(error: GatehouseError, repeatable: boolean): boolean {
  const { code, status } = error;
  const retryRequested = status === 429 || status === 503 || code === 'idempotency_in_progress';
  return retryRequested || (repeatable && isTemporary(error));
}
