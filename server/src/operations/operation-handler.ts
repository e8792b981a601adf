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
import type { PageLoader } from '../domain/access-rules/page-checks/page-loader.ts';
import type { EmailLimits } from '../domain/emails/email-budget.ts';
import type { EmailComposer, EmailContext } from '../domain/emails/email-composer.ts';
import type { Change } from '../domain/events/change.ts';
import type { ProviderConnector } from '../domain/login-providers/provider-account.ts';
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
  readonly pageLoader: PageLoader;
  readonly loginProviders: ProviderConnector;
  readonly signer: TokenSigner;
}

/** Passed to an operation that changes data. */
export interface ChangingContext extends OperationContext {
  readonly change: Change;
  /** The caller's `If-Match`. */
  readonly requireMatch: Precondition<object>;
  /** What the `prepare` of the operation has returned. */
  readonly prepared: unknown;
}

export interface OperationResult<O extends Operation> {
  readonly body: Output<O>;
  readonly location?: string;
  /** The session that was checked, if its `lastSeenAt` must be updated. */
  readonly seen?: SeenSession;
}

/** What must be known of an operation or action to run it well. Most need nothing of this. */
export interface Needs<Request> {
  /** Whether it may change many rows, or rows of several sites, so that short work should not wait for it. */
  readonly changesMany?: true;
  /** Whether a request sends one statement and no more, apart from its events. */
  readonly sendsOneStatement?: (request: Request) => boolean;
  /** The background work that it may queue, which then begins after the commit. */
  readonly queues?: QueuedWork;
  /** Whether a request may read many rows, so that quick requests should not wait for it. */
  readonly readsMany?: (request: Request) => boolean;
  /** Work that takes long, such as hashing: it is done before the transaction begins. See `preparedHandler`. */
  readonly prepare?: (view: OperationContext, request: Request) => Promise<unknown>;
}

/** A function, with what it needs if it needs something. */
export type WithNeeds<Handle, Request> = Handle | (Needs<Request> & { readonly handle: Handle });

type Handle<O extends Operation> = (
  context: O extends { method: 'GET' } | { readOnly: true } ? OperationContext : ChangingContext,
  input: Input<O>,
) => Promise<OperationResult<O>>;

/** The function of an operation of the contract. An operation that changes data runs in one transaction. */
export type OperationHandler<O extends Operation> = WithNeeds<Handle<O>, Input<O>>;

/** The handlers of some operations, by operation id. */
export type OperationHandlers = { readonly [Id in OperationId]?: OperationHandler<Operations[Id]> };

/** The handlers of actions, by their names. An action runs in one transaction. */
export type ActionHandlers<Inputs, Results> = {
  readonly [Name in keyof Inputs]: WithNeeds<
    (
      change: Change,
      input: Inputs[Name],
      composer: EmailComposer,
      limits: EmailLimits,
    ) => Promise<ResultOf<Results, Name>>,
    Inputs[Name]
  >;
};

/** What an action returns, if it returns something. */
export type ResultOf<Results, Name> = Name extends keyof Results ? Results[Name] : unknown;

/** A handler of what `prepare` returns, which runs before the transaction begins. */
export function preparedHandler<Request, Prepared, Result>(
  prepare: (view: OperationContext, request: Request) => Promise<Prepared>,
  handle: (context: ChangingContext, request: Request, prepared: Prepared) => Promise<Result>,
) {
  return {
    prepare,
    handle: (context: ChangingContext, request: Request) =>
      handle(context, request, context.prepared as Prepared),
  };
}

/** The function and the needs of a handler. */
export function separateNeeds<Handle extends (...args: never[]) => unknown, Request>(
  handler: WithNeeds<Handle, Request>,
): Needs<Request> & { readonly handle: Handle } {
  return typeof handler === 'function' ? { handle: handler } : handler;
}

/** Whether a list is filtered: it may read many rows to find its own. */
export function isFiltered({ query }: { readonly query: object }): boolean {
  return Object.keys(query).some((name) => !['after', 'limit', 'sort', 'order'].includes(name));
}

/** A response with this data. */
export async function data<Data>(found: Promise<Data>): Promise<{ body: { data: Data } }> {
  return { body: { data: await found } };
}

/** A response with a page of a list. */
export async function page<Body>(listed: Promise<Body>): Promise<{ body: Body }> {
  return { body: await listed };
}

/** A response without a body, after this work. */
export async function noContent(work: Promise<unknown>): Promise<{ body: undefined }> {
  await work;
  return { body: undefined };
}
