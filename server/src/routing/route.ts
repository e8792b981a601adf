import type { Input, Operation, OperationId, Output, operations, Permission } from '@gatehouse/contract';
import type { Cause } from '../base/cause.ts';
import type { EmailLimits } from '../base/email-limits.ts';
import type { Queries, Transaction } from '../storage/database.ts';
import type { Precondition } from './precondition.ts';

/** A session in use, as far as it takes to write that down. */
export interface SeenSession {
  readonly id: string;
  readonly createdAt: string;
  readonly lastSeenAt: string;
}

/** What a route is given beside its input. */
export interface RouteContext<Q extends Queries> {
  readonly db: Q;
  readonly siteId: string;
  readonly cause: Cause;
  /** Those of the caller's key. The operation's own has been asked for already. */
  readonly permissions: readonly Permission[];
  /** The address of the API as the world sees it, without a slash at its end. */
  readonly apiUrl: string;
  readonly eventRetentionDays: number;
  /** Whether there is a mail server. */
  readonly sendsMail: boolean;
  /** Requests in 60 s of a key without a limit of its own; 0 for no limit. */
  readonly defaultRateLimit: number;
  readonly emailLimits: EmailLimits;
  /** The caller's `If-Match`. */
  readonly requireMatch: Precondition<object>;
}

export interface Answer<O extends Operation> {
  readonly body: Output<O>;
  readonly location?: string;
  /** A session that was asked about, and not written down as in use for a while. */
  readonly seen?: SeenSession;
  /** Set when a mail was queued, which is to leave once this is committed. */
  readonly mailWaits?: boolean;
}

/** An operation of the contract as a function. One that changes something runs inside one transaction. */
export type Route<O extends Operation> = (
  context: RouteContext<O extends { method: 'GET' } | { readOnly: true } ? Queries : Transaction>,
  input: Input<O>,
) => Promise<Answer<O>>;

export type Routes<Id extends OperationId> = { readonly [K in Id]: Route<(typeof operations)[K]> };
