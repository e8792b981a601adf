import type { OperationId, Permission } from '@gatehouse/contract';
import type { DashboardErrorCode } from '@gatehouse/contract/dashboard';
import type { ApiError, ErrorDetail } from '../base/api-error.ts';
import type { ChangeContext } from '../base/change-context.ts';
import type { SeenSession } from '../domain/sessions/session.ts';
import type { PasskeyActionInputs, PasskeyActionResults } from '../operations/access/passkey-actions.ts';
import type { VisitorActionInputs, VisitorActionResults } from '../operations/access/visitor-actions.ts';
import type { HealthActionInputs } from '../operations/health-actions.ts';
import type { ResultOf } from '../operations/operation-handler.ts';
import type { ApiKeyActionInputs } from '../operations/operators/api-key-actions.ts';
import type {
  OperatorActionInputs,
  OperatorActionResults,
} from '../operations/operators/operator-actions.ts';

/** What a request contains for its operation, which validates it. */
export interface CallInput {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

/** A request that has passed all checks except the operation's own. Plain data, so it can be sent to another thread. */
export interface Call extends CallInput {
  readonly operationId: OperationId;
  /** Whether the operation changes data, and so runs in a transaction. */
  readonly changes: boolean;
  readonly siteId: string;
  readonly changeContext: ChangeContext;
  /** The permissions of the caller's API key. */
  readonly permissions: readonly Permission[];
  /** The path below the API's URL, with the query, for the `Link` header. */
  readonly target: string;
  readonly ifMatch: string | undefined;
  readonly idempotency: Idempotency | undefined;
}

/** Identifies a request that may be sent twice. */
export interface Idempotency {
  readonly key: string;
  readonly fingerprint: string;
  /** The encryption key of the stored response. The API key it is derived from stays in the HTTP thread. */
  readonly responseKey: Uint8Array;
  /** The seconds until another response can be stored for the caller; 0 for now. */
  readonly secondsToWait: number;
}

type ActionInputs = VisitorActionInputs &
  PasskeyActionInputs &
  OperatorActionInputs &
  ApiKeyActionInputs &
  HealthActionInputs;

export type ActionName = keyof ActionInputs;
export type ActionInput<Name extends ActionName> = ActionInputs[Name];
export type ActionResult<Name extends ActionName> = ResultOf<
  VisitorActionResults & PasskeyActionResults & OperatorActionResults,
  Name
>;

/** An action without a key, such as one on the web pages of a site. Also plain data. */
export interface ActionCall<Name extends ActionName = ActionName> {
  readonly action: Name;
  readonly siteId: string;
  readonly changeContext: ChangeContext;
  readonly input: ActionInput<Name>;
}

/**
 * The result of an operation, without the headers that every response has. Plain data. `storedBytes` is set when it was
 * stored for an idempotency key.
 */
export type CallResponse = Success | ErrorResponse;

export interface Success {
  readonly kind: 'success';
  /** JSON; null for a response without a body. The contract defines its status, and the body its ETag. */
  readonly payload: string | null;
  /** What an action returns. */
  readonly result?: unknown;
  readonly headers: Readonly<Record<string, string>>;
  readonly seen?: SeenSession | undefined;
  readonly storedBytes?: number;
}

export interface ErrorResponse {
  readonly kind: 'rejected';
  readonly code: DashboardErrorCode;
  readonly message: string;
  readonly details: readonly ErrorDetail[] | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly storedBytes?: number;
}

/** Runs calls, in this thread or another. @throws {StoreUnavailable}, or an unexpected error */
export interface CallRunner {
  /** @param isAwaited whether anyone still waits for the response; otherwise what has not begun may be dropped */
  run(call: Call | ActionCall, isAwaited?: () => boolean): Promise<CallResponse>;
}

/** No one receives it, and it is not logged: people who type leave one search after the other. */
export const callerHasLeft: CallResponse = {
  kind: 'rejected',
  code: 'unavailable',
  message: 'The caller has left.',
  details: undefined,
  headers: {},
};

export function errorResponse({ code, message, details, retryAfterSeconds }: ApiError): ErrorResponse {
  const headers: Record<string, string> =
    retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) };
  return { kind: 'rejected', code, message, details, headers };
}
