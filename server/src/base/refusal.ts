import type { ErrorCode } from '@gatehouse/contract';
import { type Timestamp, toTimestamp } from './clock.ts';

/** Where in a request something is wrong, as a JSON pointer (RFC 6901), and what. */
export interface RefusalDetail {
  readonly path: string;
  readonly message: string;
}

/**
 * Ends a request with an answer that the caller can act on. `message` says what to do next and nothing of the
 * inside. The contract's table gives the HTTP status of each code.
 */
export class Refusal extends Error {
  readonly code: ErrorCode;
  readonly details: readonly RefusalDetail[] | undefined;
  /** When it is worth while to try again, for `rate_limited` and `email_budget_exhausted`. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    details?: readonly RefusalDetail[],
    retryAfterSeconds?: number,
  ) {
    super(message);
    this.name = 'Refusal';
    this.code = code;
    this.details = details;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Refuses one value of a request, naming where it stands. */
export function invalidRequest(path: string, message: string): Refusal {
  return new Refusal('invalid_request', `Correct the request: ${message}`, [{ path, message }]);
}

/** Reads a time of a request. @throws Refusal `invalid_request` */
export function requireTimestamp(path: string, text: string): Timestamp {
  const time = toTimestamp(text);
  if (time === undefined)
    throw invalidRequest(path, `${path.slice(1)} takes a time such as 2026-01-31T09:30:00Z.`);
  return time;
}
