import type { ErrorCode, ErrorDetail } from '../types.ts';

/** Errors without a response of the service. */
export type ClientErrorCode =
  /** No response: the connection failed or broke. */
  | 'network_error'
  /** No complete response within `timeoutMilliseconds`. */
  | 'timeout'
  /** The response does not come from Gatehouse; for example, it is the error page of a proxy. */
  | 'unexpected_response';

/** The properties of an error. */
export interface GatehouseErrorFacts {
  code: ErrorCode | ClientErrorCode;
  status?: number | undefined;
  requestId?: string | undefined;
  details?: readonly ErrorDetail[] | undefined;
  retryAfterSeconds?: number | undefined;
  cause?: unknown;
}

/** The error of a failed call. `message` tells people what happened and what to do next; it may change at any time. */
export class GatehouseError extends Error {
  override readonly name = 'GatehouseError';
  /**
   * What happened, for programs. The service may return codes that are newer than this client: use `status` for those.
   */
  readonly code: ErrorCode | ClientErrorCode;
  /** The HTTP status; undefined if there was no response. */
  readonly status: number | undefined;
  /**
   * Identifies the call in the log of the service, even if there was no response. Include it when you contact support.
   */
  readonly requestId: string | undefined;
  /** The invalid values in the request; empty if the error is not about single fields. */
  readonly details: readonly ErrorDetail[];
  /** How long to wait before the next attempt, as requested by the service. */
  readonly retryAfterSeconds: number | undefined;

  constructor(message: string, facts: GatehouseErrorFacts) {
    super(message, { cause: facts.cause });
    this.code = facts.code;
    this.status = facts.status;
    this.requestId = facts.requestId;
    this.details = facts.details ?? [];
    this.retryAfterSeconds = facts.retryAfterSeconds;
  }
}
