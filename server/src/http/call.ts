import type { ErrorCode, OperationId, Permission } from '@gatehouse/contract';
import type { Cause } from '../base/cause.ts';
import type { Refusal, RefusalDetail } from '../base/refusal.ts';
import type { VisitorActionInputs, VisitorActionResults } from '../login/visitor-actions.ts';
import type { OperatorActionInputs, OperatorActionResults } from '../operators/operator-actions.ts';
import type { SeenSession } from '../routing/route.ts';

/** A request that has passed every check but the operation's own. Plain data: it can go to another thread. */
export interface Call {
  readonly operationId: OperationId;
  /** Whether the operation changes something, and so runs in a transaction. */
  readonly changes: boolean;
  readonly siteId: string;
  readonly cause: Cause;
  /** Those of the caller's key. */
  readonly permissions: readonly Permission[];
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  /** The path below the API's address, with its query, for the `Link` header. */
  readonly target: string;
  readonly ifMatch: string | undefined;
  readonly idempotency: Idempotency | undefined;
}

/** How a request is known again that may come twice. */
export interface Idempotency {
  readonly key: string;
  readonly fingerprint: string;
  /** What its stored answer is sealed with. The API key that it is made from stays in the thread that answers. */
  readonly answerKey: Uint8Array;
}

type ActionInputs = VisitorActionInputs & OperatorActionInputs;
type ActionResults = VisitorActionResults & OperatorActionResults;

export type ActionName = keyof ActionInputs;
export type ActionInput<Name extends ActionName> = ActionInputs[Name];
export type ActionResult<Name extends ActionName> = ActionResults[Name];

/** What people do on the pages of a site. Plain data too. */
export interface ActionCall<Name extends ActionName = ActionName> {
  readonly action: Name;
  readonly siteId: string;
  readonly cause: Cause;
  readonly input: ActionInput<Name>;
}

/** What an operation did, as it goes to the caller, before headers that every answer has. Plain data. */
export type Outcome = Success | Refused;

export interface Success {
  readonly kind: 'success';
  /** JSON; null for an answer without a body. The contract gives its status, and the body its ETag. */
  readonly payload: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly mailWaits?: boolean;
  readonly seen?: SeenSession | undefined;
}

export interface Refused {
  readonly kind: 'refused';
  readonly code: ErrorCode;
  readonly message: string;
  readonly details: readonly RefusalDetail[] | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

/** Runs calls, wherever that is. @throws StoreUnavailable, or an unexpected fault */
export interface Performer {
  perform(call: Call | ActionCall): Promise<Outcome>;
}

export function refused({ code, message, details, retryAfterSeconds }: Refusal): Refused {
  const headers: Record<string, string> =
    retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) };
  return { kind: 'refused', code, message, details, headers };
}
