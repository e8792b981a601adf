import { hash } from 'node:crypto';
import type { Operation } from '@gatehouse/contract';
import { ApiError, type Precondition } from '../base/api-error.ts';
import type { QueuedWork } from '../base/change-context.ts';
import { systemClock } from '../base/clock.ts';
import { Histogram } from '../base/metrics/histogram.ts';
import type { Metric } from '../base/metrics/metric.ts';
import { systemTimers } from '../base/timers.ts';
import { LoginProviderAccess } from '../connectors/login-provider/login-provider-access.ts';
import { HttpPageLoader } from '../connectors/page-visit/http-page-loader.ts';
import { WorkspaceAccess, type WorkspaceSettings } from '../connectors/workspaces.ts';
import type { EmailLimits } from '../domain/emails/email-budget.ts';
import { EmailWithheld, recordWithheldEmail } from '../domain/emails/email-budgets.ts';
import type { EmailComposer } from '../domain/emails/email-composer.ts';
import { type Change, makeChange } from '../domain/events/change.ts';
import { TokenSigner } from '../domain/signing-keys/token-signer.ts';
import { HostTaken } from '../domain/sites/host-claims.ts';
import { reportTakenHosts } from '../domain/sites/taken-hosts.ts';
import { passkeyActions } from '../operations/access/passkey-actions.ts';
import { visitorActions } from '../operations/access/visitor-actions.ts';
import { handlers } from '../operations/handlers.ts';
import { healthActions } from '../operations/health-actions.ts';
import {
  type ChangingContext,
  type Needs,
  type OperationContext,
  type OperationResult,
  separateNeeds,
  type WithNeeds,
} from '../operations/operation-handler.ts';
import { apiKeyActions } from '../operations/operators/api-key-actions.ts';
import { operatorActions } from '../operations/operators/operator-actions.ts';
import type { Database, Queries } from '../storage/database.ts';
import { CallerHasLeft } from '../storage/errors.ts';
import {
  type ActionCall,
  type Call,
  type CallInput,
  type CallResponse,
  type CallRunner,
  callerHasLeft,
  errorResponse,
} from './call.ts';
import { runIdempotently } from './idempotency.ts';
import type { Monitoring } from './monitoring.ts';
import { ListThread } from './threads/list-thread.ts';

const actions = {
  ...visitorActions,
  ...passkeyActions,
  ...operatorActions,
  ...apiKeyActions,
  ...healthActions,
};

export interface ServiceSettings {
  /** The public URL of Gatehouse, without a trailing slash. */
  readonly publicUrl: string;
  /** The public URL of the API, without a trailing slash. */
  readonly apiUrl: string;
  readonly eventRetentionDays: number;
  /** Whether a mail server is configured. */
  readonly sendsEmail: boolean;
  /** Requests per 60 s for an API key without its own limit; 0 for no limit. */
  readonly defaultRateLimit: number;
  readonly emailLimits: EmailLimits;
  readonly workspaces: WorkspaceSettings;
}

/** Called with a site when it has new queued work. */
export type OnQueued = (siteId: string, work: QueuedWork) => void;

type Handle = (
  context: OperationContext | ChangingContext,
  input: CallInput,
) => Promise<OperationResult<Operation>>;
/** What a change needs of its transaction, and after it. */
interface ChangeNeeds {
  readonly changesMany?: true | undefined;
  readonly queues?: QueuedWork | undefined;
  readonly sendsOneStatement?: boolean | undefined;
}

type Act = (change: Change, input: unknown, composer: EmailComposer, limits: EmailLimits) => Promise<unknown>;

function operationOf({ operationId }: Call): Needs<CallInput> & { readonly handle: Handle } {
  return separateNeeds(handlers[operationId as keyof typeof handlers] as WithNeeds<Handle, CallInput>);
}

function actionOf({ action }: ActionCall): Needs<unknown> & { readonly handle: Act } {
  return separateNeeds(actions[action] as WithNeeds<Act, unknown>);
}

/** Whether a call that only reads may take long, so that quick calls should not wait for it. */
export function readsMany(call: Call): boolean {
  return operationOf(call).readsMany?.(call) ?? false;
}

/** Runs calls on a database. A call that changes data runs in one transaction together with its stored response. */
export class OperationRunner implements CallRunner {
  readonly #database: Database;
  readonly #settings: ServiceSettings;
  readonly #composer: EmailComposer;
  readonly #onQueued: OnQueued;
  readonly #lists: ListThread;
  readonly #workspaces: WorkspaceAccess;
  readonly #pageLoader: HttpPageLoader;
  readonly #loginProviders: LoginProviderAccess;
  /** Whether slow statements are logged. */
  readonly #isWatched: boolean;
  readonly #eventLags = new Histogram(
    'gatehouse_event_lag_seconds',
    'Time from the time that events state to their commit, from which on readers of the feed see them.',
  );
  readonly #eventLag = this.#eventLags.of({});
  readonly #transactions = new Histogram(
    'gatehouse_transaction_duration_seconds',
    'Duration of the transactions of requests, with the wait for their turn.',
  );
  /** What all operations have in common. */
  readonly #common: Omit<OperationContext, 'db' | 'siteId' | 'now' | 'actor' | 'permissions'>;

  constructor(
    database: Database,
    settings: ServiceSettings,
    composer: EmailComposer,
    onQueued: OnQueued = () => {},
    monitoring?: Monitoring,
  ) {
    this.#database = database;
    this.#settings = settings;
    this.#composer = composer;
    this.#onQueued = onQueued;
    this.#isWatched = monitoring?.watch !== undefined;
    this.#lists = new ListThread(systemTimers);
    this.#workspaces = new WorkspaceAccess(settings.workspaces, systemClock, {
      tracing: monitoring?.tracing,
      readTable: (list) => this.#lists.readTable(list),
    });
    const { emailLimits, workspaces, ...others } = settings;
    this.#pageLoader = new HttpPageLoader(workspaces.outgoing, monitoring?.tracing);
    this.#loginProviders = new LoginProviderAccess(workspaces.outgoing, systemClock, monitoring?.tracing);
    this.#common = {
      ...others,
      emails: { composer, limits: emailLimits },
      workspaces: this.#workspaces,
      pageLoader: this.#pageLoader,
      loginProviders: this.#loginProviders,
      signer: new TokenSigner(database, this.#workspaces.secrets),
    };
  }

  /** Closes connections to other services. */
  async close(): Promise<void> {
    const others = [this.#workspaces, this.#pageLoader, this.#loginProviders, this.#lists];
    await Promise.all(others.map((other) => other.close()));
  }

  metrics(): readonly Metric[] {
    return [this.#eventLags.metric(), this.#transactions.metric()];
  }

  async run(call: Call | ActionCall, isAwaited: () => boolean = () => true): Promise<CallResponse> {
    try {
      return 'action' in call ? await this.#runAction(call) : await this.#runCall(call, isAwaited);
    } catch (error) {
      if (error instanceof EmailWithheld) await this.#recordWithheld(call, error);
      if (error instanceof HostTaken) await this.#reportTaken(call, error);
      if (error instanceof ApiError) return errorResponse(error);
      if (error instanceof CallerHasLeft) return callerHasLeft;
      throw error;
    }
  }

  async #runAction(call: ActionCall): Promise<CallResponse> {
    const { handle, changesMany, queues } = actionOf(call);
    const needs = { changesMany, queues };
    const { emailLimits } = this.#settings;
    const result = await this.#change(call, needs, (change) =>
      handle(change, call.input, this.#composer, emailLimits),
    );
    return { kind: 'success', payload: null, headers: {}, result };
  }

  async #runCall(call: Call, isAwaited: () => boolean): Promise<CallResponse> {
    const { handle, changesMany, queues, sendsOneStatement, prepare } = operationOf(call);
    if (!call.changes) return this.#run(call, handle, this.#queriesOf(call, isAwaited));
    const { idempotency } = call;
    const prepared = await prepare?.(this.#contextOf(call, this.#queriesOf(call, isAwaited)), call);
    const sendsOne = idempotency === undefined && sendsOneStatement?.(call);
    return this.#change(call, { changesMany, queues, sendsOneStatement: sendsOne }, (change) => {
      const run = () => this.#run(call, handle, change.db, { change, prepared });
      return idempotency === undefined ? run() : runIdempotently(change, idempotency, run);
    });
  }

  /** Runs in a new transaction, because that of the request was rolled back. */
  #recordWithheld(call: Call | ActionCall, withheld: EmailWithheld): Promise<void> {
    return this.#change(call, {}, (change) => recordWithheldEmail(change, withheld));
  }

  async #reportTaken({ changeContext }: Call | ActionCall, taken: HostTaken): Promise<void> {
    const siteIds = await reportTakenHosts(this.#database, taken, changeContext.at);
    for (const siteId of siteIds) this.#onQueued(siteId, 'events');
  }

  #queriesOf({ changeContext: { requestId } }: Call, isAwaited: () => boolean): Queries {
    return this.#database.forCaller({
      isAwaited,
      requestId: this.#isWatched ? (requestId ?? undefined) : undefined,
    });
  }

  /** Makes a change, and has the work that it queues begin. */
  async #change<T>(
    { siteId, changeContext }: Call | ActionCall,
    { changesMany, queues, sendsOneStatement }: ChangeNeeds,
    work: (change: Change) => Promise<T>,
  ): Promise<T> {
    const startedAt = performance.now();
    let result: 'committed' | 'rolled_back' = 'rolled_back';
    try {
      const changed = await this.#database.transaction(
        (db) => makeChange({ db, siteId }, changeContext, work),
        {
          requestId: changeContext.requestId ?? undefined,
          shortOnSite: changesMany ? undefined : siteId,
          sendsOneStatement,
        },
      );
      result = 'committed';
      // With a clock that was set back meanwhile, the lag would be negative.
      this.#eventLag.observeMilliseconds(Math.max(0, Date.now() - Date.parse(changeContext.at)));
      if (queues) this.#onQueued(siteId, queues);
      this.#onQueued(siteId, 'events');
      return changed;
    } finally {
      this.#transactions.of({ result }).observeMilliseconds(performance.now() - startedAt);
    }
  }

  #contextOf({ siteId, changeContext, permissions }: Call, db: Queries): OperationContext {
    const { at: now, actor } = changeContext;
    return { ...this.#common, db, siteId, now, actor, permissions };
  }

  async #run(
    call: Call,
    handle: Handle,
    db: Queries,
    changing?: Pick<ChangingContext, 'change' | 'prepared'>,
  ): Promise<CallResponse> {
    const { params, query, body } = call;
    const requireMatch = call.ifMatch === undefined ? anyVersion : versionOf(call.ifMatch);
    const context = this.#contextOf(call, db);
    const input = { params, query, body };
    const result = await handle(changing ? { ...context, ...changing, requireMatch } : context, input);
    const payload = result.body === undefined ? null : JSON.stringify(result.body);
    const headers: Record<string, string> = {};
    if (result.location !== undefined) headers.location = result.location;
    const next = (result.body as { pagination?: { nextCursor: string | null } } | undefined)?.pagination
      ?.nextCursor;
    if (next) headers.link = nextLink(this.#settings.apiUrl, call.target, next);
    return { kind: 'success', payload, headers, seen: result.seen };
  }
}

/** A strong validator (RFC 9110, section 8.8.3): it changes with every byte of the body. */
export function etagOf(payload: string): string {
  return `"${hash('sha1', payload, 'base64url')}"`;
}

const anyVersion: Precondition<object> = () => {};

/** `If-Match` (RFC 9110, section 13.1.1): one of the given tags, compared strongly, or `*` for any. */
function versionOf(ifMatch: string): Precondition<object> {
  if (ifMatch.trim() === '*') return anyVersion;
  const wanted = ifMatch.split(',').map((tag) => tag.trim());
  return (current) => {
    if (wanted.includes(etagOf(JSON.stringify({ data: current })))) return;
    throw new ApiError(
      'precondition_failed',
      'The resource has changed since you read it. Read it again, then repeat the change.',
    );
  };
}

/** Without the class `URL`, which would parse the whole address three times: a twentieth of the time of a list. */
function nextLink(apiUrl: string, target: string, cursor: string): string {
  const path = /^[^?#]*/.exec(target)![0];
  const query = new URLSearchParams(target.slice(path.length + 1));
  query.set('after', cursor);
  return `<${apiUrl}${path}?${query}>; rel="next"`;
}
