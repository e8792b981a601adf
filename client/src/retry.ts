import type { GatehouseError } from './error.ts';
import type { ApiRequest } from './request.ts';

const firstDelayMilliseconds = 500;
const longestDelayMilliseconds = 8_000;
/** As long as the window of the rate limit: who is told to wait longer hears of it instead. */
const longestRetryAfterSeconds = 60;

/** How long to wait before the request is sent again; undefined when it should not be. `retriesDone` counts from 0. */
export function millisecondsToRetry(
  error: GatehouseError,
  request: Pick<ApiRequest, 'repeatable'>,
  retriesDone: number,
): number | undefined {
  if (!mayRetry(error, request.repeatable)) return undefined;
  const { retryAfterSeconds = 0 } = error;
  if (retryAfterSeconds > longestRetryAfterSeconds) return undefined;
  // Never sooner than asked, and not all clients at the same moment.
  return retryAfterSeconds * 1_000 + backOff(retriesDone);
}

/** Grows twofold with every try, up to 8 s; somewhere between half of that and all of it. */
export function backOff(retriesDone: number): number {
  const ceiling = Math.min(longestDelayMilliseconds, firstDelayMilliseconds * 2 ** retriesDone);
  return Math.round(ceiling * (0.5 + Math.random() / 2));
}

/** Whether the error passes by itself. */
export function isPassing({ code, status }: GatehouseError): boolean {
  return (
    code === 'network_error' ||
    code === 'timeout' ||
    code === 'idempotency_in_progress' ||
    status === 429 ||
    (status !== undefined && [408, 502, 503, 504].includes(status))
  );
}

/** With 429, 503 and a first call still running the service asks for another try; of the others nobody knows what was done. */
function mayRetry(error: GatehouseError, repeatable: boolean): boolean {
  const { code, status } = error;
  const askedFor = status === 429 || status === 503 || code === 'idempotency_in_progress';
  return askedFor || (repeatable && isPassing(error));
}
