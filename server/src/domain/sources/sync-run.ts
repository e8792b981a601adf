import type { CollectionResult, RunError } from '@gatehouse/contract';
import type { ChangeContext } from '../../base/change-context.ts';
import { type Clock, type Timestamp, timestampAfter } from '../../base/clock.ts';
import type { Cancel, Timers } from '../../base/timers.ts';
import type { Database } from '../../storage/database.ts';
import { type Change, makeChange } from '../events/change.ts';
import { noCounts, type RunCounts, type StoredRun } from './run.ts';
import { updateRunProgress } from './run-store.ts';
import { runLeaseMilliseconds } from './runs.ts';
import type { SourceCollection, StoredSource } from './source.ts';
import { lockSourceRow } from './source-store.ts';

/** Another process has the run, or the source was deleted. Nothing more may be written. */
export class LeaseLost extends Error {
  constructor() {
    super('Another process continues this synchronization, or the source was deleted.');
    this.name = 'LeaseLost';
  }
}

/** How many examples of each kind a result lists. */
export const maxListed = 20;

const renewalMilliseconds = runLeaseMilliseconds / 3;

export interface RunParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly timers: Timers;
}

/**
 * A run in this process: its lease and its results so far. Every transaction of a run goes through `change`, which
 * renews the lease and stores the progress, and fails if another process has taken the run. Between them a timer renews
 * the lease, because reading a workspace may take longer, until the run is closed.
 */
export class SyncRun {
  readonly siteId: string;
  readonly source: StoredSource;
  readonly run: StoredRun;
  /** Aborted when Gatehouse stops, and when the lease is lost. */
  readonly signal: AbortSignal;
  readonly #parts: RunParts;
  readonly #holder: string;
  readonly #results: Map<string, CollectionResult>;
  readonly #lost = new AbortController();
  #changes = 0;
  #cancelRenewal: Cancel;
  #renewal = Promise.resolve();

  constructor(
    parts: RunParts,
    siteId: string,
    source: StoredSource,
    run: StoredRun,
    holder: string,
    stopping: AbortSignal,
  ) {
    this.#parts = parts;
    this.siteId = siteId;
    this.source = source;
    this.run = run;
    this.#holder = holder;
    this.signal = AbortSignal.any([stopping, this.#lost.signal]);
    // A run that is continued counts what was done before.
    this.#results = new Map(run.collections.map((result) => [result.key, result]));
    this.#cancelRenewal = this.#renewLater();
  }

  get database(): Database {
    return this.#parts.database;
  }

  get now(): Timestamp {
    return this.#parts.clock().toISOString();
  }

  get results(): CollectionResult[] {
    return [...this.#results.values()];
  }

  resultOf({ key, name }: Pick<SourceCollection, 'key' | 'name'>): CollectionResult {
    const result = this.#results.get(key) ?? {
      ...{ key, name, ...noCounts },
      ...{ error: null, skippedPeople: [], sample: { added: [], removed: [] } },
    };
    return { ...result, name };
  }

  report(result: CollectionResult): void {
    this.#results.set(result.key, result);
  }

  fail(collection: SourceCollection, error: RunError): void {
    this.report({ ...this.resultOf(collection), error });
  }

  /** Adds to the numbers of a collection. */
  count(collection: SourceCollection, counts: Partial<RunCounts>): void {
    const result = this.resultOf(collection);
    const sums = Object.entries(counts).map(([name, count]) => [
      name,
      result[name as keyof RunCounts] + count,
    ]);
    this.report({ ...result, ...Object.fromEntries(sums) });
  }

  /** Changes the site as the source, while this process has the run. @throws {LeaseLost} */
  async change<T>(work: (change: Change) => Promise<T>, counted?: (result: T) => void): Promise<T> {
    this.signal.throwIfAborted();
    const result = await this.#transact(work);
    counted?.(result);
    return result;
  }

  /** Ends the run with `work`, while this process has it. @throws {LeaseLost} */
  end<T>(work: (change: Change, holder: string) => Promise<T>): Promise<T> {
    return this.#transact((change) => work(change, this.#holder));
  }

  /** Renews the lease no more. */
  async close(): Promise<void> {
    this.#cancelRenewal();
    await this.#renewal;
  }

  async #transact<T>(work: (change: Change) => Promise<T>): Promise<T> {
    const at = this.now;
    this.#changes += 1;
    try {
      return await this.database.transaction((tx) =>
        makeChange(tx, this.siteId, this.#contextAt(at), async (change) => {
          await this.#requireLease(change, at);
          return work(change);
        }),
      );
    } finally {
      this.#changes -= 1;
    }
  }

  #renewLater(): Cancel {
    return this.#parts.timers.after(renewalMilliseconds, () => {
      this.#cancelRenewal = this.#renewLater();
      // A change that is being made renews the lease by itself.
      if (this.#changes === 0) this.#renewal = this.#renew();
    });
  }

  async #renew(): Promise<void> {
    try {
      await this.#transact(async () => {});
    } catch (error) {
      // After any other error the lease still has some time, and the next renewal or change may succeed.
      if (error instanceof LeaseLost) this.#lost.abort(error);
    }
  }

  async #requireLease({ tx }: Change, at: Timestamp): Promise<void> {
    // The source first, as everywhere, to prevent deadlocks.
    const source = await lockSourceRow(tx, this.siteId, this.source.id);
    const leaseEnd = timestampAfter(at, runLeaseMilliseconds);
    const holds =
      source && (await updateRunProgress(tx, this.siteId, this.run.id, this.#holder, leaseEnd, this.results));
    if (!holds) throw new LeaseLost();
  }

  #contextAt(at: Timestamp): ChangeContext {
    const { id, name } = this.source;
    return { actor: { type: 'source', id, name }, requestId: null, clientAddress: null, at };
  }
}
