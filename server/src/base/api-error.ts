import type { DashboardErrorCode } from '@gatehouse/contract/dashboard';
import { type Timestamp, toTimestamp } from './clock.ts';

/** A problem in a request: its location as a JSON pointer (RFC 6901), and a description. */
export interface ErrorDetail {
  readonly path: string;
  readonly message: string;
}

/**
 * Ends a request with an error response. `message` says what happened and what to do next, and reveals nothing internal.
 * The contract maps each code to an HTTP status.
 */
export class ApiError extends Error {
  /** The codes of the public API are a subset of the dashboard's. */
  readonly code: DashboardErrorCode;
  readonly details: readonly ErrorDetail[] | undefined;
  /** When to retry, for `rate_limited` and `email_budget_exhausted`. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: DashboardErrorCode,
    message: string,
    details?: readonly ErrorDetail[],
    retryAfterSeconds?: number,
  ) {
    super(message);
    this.name = 'ApiError';
    this.code = code;
    this.details = details;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** The error for one invalid value of a request. `path` is the JSON pointer of the value. */
export function invalidRequest(path: string, message: string): ApiError {
  return new ApiError('invalid_request', `Correct the request: ${message}`, [{ path, message }]);
}

/** Parses a time in a request. @throws {ApiError} `invalid_request` */
export function requireTimestamp(path: string, text: string): Timestamp {
  const time = toTimestamp(text);
  if (time === undefined)
    throw invalidRequest(path, `${path.slice(1)} must be a time such as 2026-01-31T09:30:00Z.`);
  return time;
}

/**
 * A condition that a resource must meet before it is changed or deleted. It is checked after the resource is locked,
 * so that no other request can change it in between.
 * @throws {ApiError} `precondition_failed`
 */
export type Precondition<Resource> = (current: Resource) => void;
