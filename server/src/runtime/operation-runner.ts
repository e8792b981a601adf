import { hash } from 'node:crypto';
import type { CreateMember, Operation, OperationId } from '@gatehouse/contract';
import { ApiError, type Precondition } from '../base/api-error.ts';
import type { QueuedWork } from '../base/change-context.ts';
import { systemClock } from '../base/clock.ts';
import { Histogram } from '../base/metrics/histogram.ts';
import type { Metric } from '../base/metrics/metric.ts';
import { systemTimers } from '../base/timers.ts';
import { WorkspaceAccess, type WorkspaceSettings } from '../connectors/workspaces.ts';
import type { EmailLimits } from '../domain/emails/email-budget.ts';
import { EmailWithheld, recordWithheldEmail } from '../domain/emails/email-budgets.ts';
import type { EmailComposer } from '../domain/emails/email-composer.ts';
import { type Change, makeChange, makeSharedChange } from '../domain/events/change.ts';
import { TokenSigner } from '../domain/signing-keys/token-signer.ts';
import { HostTaken } from '../domain/sites/host-claims.ts';
import { reportTakenHosts } from '../domain/sites/taken-hosts.ts';
import { visitorActions } from '../operations/access/visitor-actions.ts';
import { handlers } from '../operations/handlers.ts';
import { healthActions } from '../operations/health-actions.ts';
import type { ChangingContext, OperationContext, OperationResult } from '../operations/operation-handler.ts';
import { operatorActions } from '../operations/operators/operator-actions.ts';
import type { Database, Queries } from '../storage/database.ts';
import { CallerHasLeft } from '../storage/errors.ts';
import {
  type ActionCall,
  type ActionName,
  type Call,
  type CallResponse,
  type CallRunner,
  callerHasLeft,
  errorResponse,
} from './call.ts';
import { runIdempotently } from './idempotency.ts';
import type { Monitoring } from './monitoring.ts';
import { ListThread } from './threads/list-thread.ts';

const actions = { ...visitorActions, ...operatorActions, ...healthActions };

/** Operations that may change many rows, or rows of several sites. Others do not share transactions with them. */
const unshared: ReadonlySet<OperationId> = new Set<OperationId>([
  ...(['bulkCreateMembers', 'bulkUpdateMembers', 'bulkMemberActions', 'uploadCollectionPeople'] as const),
  ...(['deleteAccessGroup', 'deleteSource', 'replaceAccessRules', 'updateSite'] as const),
  ...(['inviteOperator', 'updateOperator', 'removeOperator'] as const),
]);

/** Whether a change needs one statement only, apart from its events: see `SharedWork`. */
function sendsOneStatement(call: Call | ActionCall): boolean {
  if ('action' in call || call.operationId !== 'createMember' || call.idempotency) return false;
  const { accessGroupIds = [] } = call.body as CreateMember;
  return accessGroupIds.length === 0;
}

/** The work that an action may queue. */
const queuedBy: Partial<Record<ActionName, QueuedWork>> = {
  requestLoginLink: 'emails',
  acceptNotification: 'source-runs',
  addPasskey: 'emails',
  logInWithPasskey: 'emails',
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

type AnyHandler = (
  context: OperationContext | ChangingContext,
  input: Pick<Call, 'params' | 'query' | 'body'>,
) => Promise<OperationResult<Operation>>;

/** Runs calls on a database. A call that changes data runs in one transaction together with its stored response. */
export class OperationRunner implements CallRunner {
  readonly #database: Database;
  readonly #settings: ServiceSettings;
  readonly #composer: EmailComposer;
  readonly #onQueued: OnQueued;
  readonly #lists: ListThread;
  readonly #workspaces: WorkspaceAccess;
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
    const { emailLimits, workspaces: _, ...others } = settings;
    this.#common = {
      ...others,
      emails: { composer, limits: emailLimits },
      workspaces: this.#workspaces,
      signer: new TokenSigner(database, this.#workspaces.secrets),
    };
  }

  /** Closes connections to other services. */
  async close(): Promise<void> {
    await Promise.all([this.#workspaces.close(), this.#lists.close()]);
  }

  metrics(): readonly Metric[] {
    return [this.#eventLags.metric(), this.#transactions.metric()];
  }

  async run(call: Call | ActionCall, isAwaited: () => boolean = () => true): Promise<CallResponse> {
    const response = 'action' in call ? await this.#runAction(call) : await this.#runCall(call, isAwaited);
    if (response.kind === 'success') {
      if (response.queued) this.#onQueued(call.siteId, response.queued);
      if ('action' in call || call.changes) this.#onQueued(call.siteId, 'events');
    }
    return response;
  }

  async #runAction(call: ActionCall): Promise<CallResponse> {
    const { action, input } = call;
    const act = actions[action] as (
      change: Change,
      input: unknown,
      composer: EmailComposer,
    ) => Promise<unknown>;
    try {
      const isShared = action in visitorActions;
      const result = await this.#change(call, isShared, (change) => act(change, input, this.#composer));
      return { kind: 'success', payload: JSON.stringify(result), headers: {}, queued: queuedBy[action] };
    } catch (error) {
      if (error instanceof HostTaken) await this.#reportTaken(call, error);
      if (error instanceof ApiError) return errorResponse(error);
      throw error;
    }
  }

  async #runCall(call: Call, isAwaited: () => boolean): Promise<CallResponse> {
    const { operationId, idempotency } = call;
    try {
      if (!call.changes) return await this.#run(call, this.#queriesOf(call, isAwaited));
      return await this.#change(call, !unshared.has(operationId), (change) =>
        idempotency === undefined
          ? this.#run(call, change.db, change)
          : runIdempotently(change, idempotency, () => this.#run(call, change.db, change)),
      );
    } catch (error) {
      if (error instanceof EmailWithheld) await this.#recordWithheld(call, error);
      if (error instanceof HostTaken) await this.#reportTaken(call, error);
      if (error instanceof ApiError) return errorResponse(error);
      if (error instanceof CallerHasLeft) return callerHasLeft;
      throw error;
    }
  }

  /** Runs in a new transaction, because that of the request was rolled back. */
  #recordWithheld(call: Call, withheld: EmailWithheld): Promise<void> {
    return this.#change(call, true, (change) => recordWithheldEmail(change, withheld));
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

  /** Makes a change in a transaction of its own, or in one that other changes to the site may share. */
  async #change<T>(
    call: Call | ActionCall,
    isShared: boolean,
    work: (change: Change) => Promise<T>,
  ): Promise<T> {
    const { siteId, changeContext } = call;
    const startedAt = performance.now();
    let result: 'committed' | 'rolled_back' = 'rolled_back';
    try {
      const changed = isShared
        ? await makeSharedChange(this.#database, siteId, changeContext, work, {
            sendsOneStatement: sendsOneStatement(call),
          })
        : await this.#database.transaction(
            (tx) => makeChange({ db: tx, siteId }, changeContext, work),
            changeContext.requestId ?? undefined,
          );
      result = 'committed';
      // With a clock that was set back meanwhile, the lag would be negative.
      this.#eventLag.observeMilliseconds(Math.max(0, Date.now() - Date.parse(changeContext.at)));
      return changed;
    } finally {
      this.#transactions.of({ result }).observeMilliseconds(performance.now() - startedAt);
    }
  }

  async #run(call: Call, db: Queries, change?: Change): Promise<CallResponse> {
    const { siteId, changeContext, permissions, params, query, body } = call;
    const handle = handlers[call.operationId as keyof typeof handlers] as unknown as AnyHandler;
    const requireMatch = call.ifMatch === undefined ? anyVersion : versionOf(call.ifMatch);
    const { at: now, actor } = changeContext;
    const context = { ...this.#common, db, siteId, now, actor, permissions };
    const input = { params, query, body };
    const result = await handle(change ? { ...context, change, requireMatch } : context, input);
    const payload = result.body === undefined ? null : JSON.stringify(result.body);
    const headers: Record<string, string> = {};
    if (result.location !== undefined) headers.location = result.location;
    const next = (result.body as { pagination?: { nextCursor: string | null } } | undefined)?.pagination
      ?.nextCursor;
    if (next) headers.link = nextLink(this.#settings.apiUrl, call.target, next);
    return { kind: 'success', payload, headers, queued: result.queued, seen: result.seen };
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
