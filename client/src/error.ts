import type { ErrorCode, ErrorDetail } from './types.ts';

/** What can go wrong without an answer of the service. */
export type ClientErrorCode =
  /** No answer came: no connection, or it broke. */
  | 'network_error'
  /** No whole answer came within `timeoutMilliseconds`. */
  | 'timeout'
  /** An answer came that is not one of Gatehouse's, for example the error page of a proxy. */
  | 'unexpected_response';

/** What an error knows beside its message. */
export interface GatehouseErrorFacts {
  code: ErrorCode | ClientErrorCode;
  status?: number | undefined;
  requestId?: string | undefined;
  details?: readonly ErrorDetail[] | undefined;
  retryAfterSeconds?: number | undefined;
  cause?: unknown;
}

/** Why a call failed. `message` says for people what happened and what to do next; it may change at any time. */
export class GatehouseError extends Error {
  override readonly name = 'GatehouseError';
  /** What happened, for programs. The service may know codes that are newer than this client: go by `status` then. */
  readonly code: ErrorCode | ClientErrorCode;
  /** The HTTP status; undefined when no answer came. */
  readonly status: number | undefined;
  /** Names the call in the log of the service, also when no answer came. Give it when you ask for help. */
  readonly requestId: string | undefined;
  /** The places in the request that were refused; empty when it is not about single fields. */
  readonly details: readonly ErrorDetail[];
  /** How long the service asks to wait before the next try. */
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
