import type {
  Actor,
  Input,
  Operation,
  OperationId,
  Operations,
  Output,
  Permission,
} from '@gatehouse/contract';
import type { Precondition } from '../base/api-error.ts';
import type { QueuedWork } from '../base/change-context.ts';
import type { Timestamp } from '../base/clock.ts';
import type { EmailContext } from '../domain/emails/email-composer.ts';
import type { Change } from '../domain/events/change.ts';
import type { SeenSession } from '../domain/sessions/session.ts';
import type { TokenSigner } from '../domain/signing-keys/token-signer.ts';
import type { Workspaces } from '../domain/sources/workspaces/workspaces.ts';
import type { Queries } from '../storage/database.ts';

/** Passed to an operation along with its input. */
export interface OperationContext {
  readonly db: Queries;
  readonly siteId: string;
  readonly now: Timestamp;
  readonly actor: Actor;
  /** The permissions of the caller's API key. The one required by the operation has already been checked. */
  readonly permissions: readonly Permission[];
  /** The public URL of Gatehouse, without a trailing slash. */
  readonly publicUrl: string;
  /** The public URL of the API, without a trailing slash. */
  readonly apiUrl: string;
  readonly eventRetentionDays: number;
  /** Whether a mail server is configured. */
  readonly sendsEmail: boolean;
  /** Requests per 60 s for an API key without its own limit; 0 for no limit. */
  readonly defaultRateLimit: number;
  readonly emails: EmailContext;
  readonly workspaces: Workspaces;
  readonly signer: TokenSigner;
}

/** Passed to an operation that changes data. */
export interface ChangingContext extends OperationContext {
  readonly change: Change;
  /** The caller's `If-Match`. */
  readonly requireMatch: Precondition<object>;
}

export interface OperationResult<O extends Operation> {
  readonly body: Output<O>;
  readonly location?: string;
  /** The session that was checked, if its `lastSeenAt` must be updated. */
  readonly seen?: SeenSession;
  /** Set when work was queued, so that it begins after the commit. */
  readonly queued?: QueuedWork | undefined;
}

/** The function of an operation of the contract. An operation that changes data runs in one transaction. */
export type OperationHandler<O extends Operation> = (
  context: O extends { method: 'GET' } | { readOnly: true } ? OperationContext : ChangingContext,
  input: Input<O>,
) => Promise<OperationResult<O>>;

/** The handlers of some operations, by operation id. */
export type OperationHandlers = { readonly [Id in OperationId]?: OperationHandler<Operations[Id]> };
