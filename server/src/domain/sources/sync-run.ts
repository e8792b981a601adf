import type { CollectionResult, RunError } from '@gatehouse/contract';
import type { ChangeContext } from '../../base/change-context.ts';
import { type Clock, type Timestamp, timestampAfter } from '../../base/clock.ts';
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

/**
 * A run in this process: its lease and its results so far. Every transaction of a run goes through `change`, which
 * renews the lease and stores the progress, and fails if another process has taken the run.
 */
export class SyncRun {
  readonly siteId: string;
  readonly source: StoredSource;
  readonly run: StoredRun;
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #holder: string;
  readonly #results: Map<string, CollectionResult>;
  #renewedAt: number;

  constructor(
    database: Database,
    clock: Clock,
    siteId: string,
    source: StoredSource,
    run: StoredRun,
    holder: string,
  ) {
    this.#database = database;
    this.#clock = clock;
    this.siteId = siteId;
    this.source = source;
    this.run = run;
    this.#holder = holder;
    // A run that is continued counts what was done before.
    this.#results = new Map(run.collections.map((result) => [result.key, result]));
    this.#renewedAt = clock().getTime();
  }

  get database(): Database {
    return this.#database;
  }

  get now(): Timestamp {
    return this.#clock().toISOString();
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
    const at = this.now;
    const result = await this.#database.transaction((tx) =>
      makeChange(tx, this.siteId, this.#contextAt(at), async (change) => {
        await this.#requireLease(change, at);
        return work(change);
      }),
    );
    counted?.(result);
    this.#renewedAt = Date.parse(at);
    return result;
  }

  /** Renews the lease if a third of it has passed. */
  async renew(): Promise<void> {
    if (this.#clock().getTime() < this.#renewedAt + runLeaseMilliseconds / 3) return;
    await this.change(async () => {});
  }

  /** Ends the run with `work`, while this process has it. */
  async end<T>(work: (change: Change, holder: string) => Promise<T>): Promise<T> {
    return this.change((change) => work(change, this.#holder));
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
