import { doublingPauses, pauseAfter } from '@gatehouse/contract/backoff';
import type { GatehouseError } from './error.ts';
import type { ApiRequest } from './request.ts';

/** A random time between half of each pause and all of it. */
const retries = doublingPauses(500, 8_000, [0.5, 1]);
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

/** How long to wait before a request is sent again after so many retries, in milliseconds. */
export function backOff(retriesDone: number): number {
  return pauseAfter(retries, retriesDone + 1);
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
