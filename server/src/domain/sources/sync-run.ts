import type { CollectionResult, RunError } from '@gatehouse/contract';
import type { ChangeContext } from '../../base/change-context.ts';
import { type Clock, millisecondsPerDay, type Timestamp, timestampAfter } from '../../base/clock.ts';
import type { Database } from '../../storage/database.ts';
import { findAccessGroup } from '../access-groups/access-groups.ts';
import { type Change, makeChange } from '../events/change.ts';
import type { Confirmation } from './removals.ts';
import { noCounts, type RunCounts, type StoredRun } from './run.ts';
import { updateRunProgress } from './run-store.ts';
import { runLeaseMilliseconds } from './runs.ts';
import { type SourceCollection, type StoredSource, toStoredSource } from './source.ts';
import { lockSourceRow, selectCollection } from './source-store.ts';

/** Another process has the run, or the source was deleted. Nothing more may be written. */
export class LeaseLost extends Error {
  constructor() {
    super('Another process continues this synchronization, or the source was deleted.');
    this.name = 'LeaseLost';
  }
}

/** Somebody turned the source off during the run. */
export class SourceTurnedOff extends Error {
  readonly code = 'stopped';

  constructor() {
    super('The source was turned off during this run. What was done before remains.');
    this.name = 'SourceTurnedOff';
  }
}

/** Somebody changed the choice of a collection or its columns during the run. */
export class CollectionChanged extends Error {
  readonly code = 'stopped';

  constructor() {
    super('This collection was changed in Gatehouse during this run. The next run follows the change.');
    this.name = 'CollectionChanged';
  }
}

/** How many examples of each kind a result lists. */
export const maxListed = 20;

interface SyncRunParts {
  readonly siteId: string;
  readonly source: StoredSource;
  readonly run: StoredRun;
  readonly holder: string;
  readonly confirmation: Confirmation;
}

/**
 * A run in this process: its lease and its results so far. Every transaction of a run goes through `change`, which
 * renews the lease and stores the progress, and fails if another process has taken the run.
 */
export class SyncRun {
  readonly siteId: string;
  readonly run: StoredRun;
  readonly confirmation: Confirmation;
  readonly #wasEnabled: boolean;
  #source: StoredSource;
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #holder: string;
  readonly #results: Map<string, CollectionResult>;
  /** Their names, by id. */
  readonly #groupsToDelete = new Map<string, string>();
  #renewedAt: number;

  constructor(database: Database, clock: Clock, { siteId, source, run, holder, confirmation }: SyncRunParts) {
    this.#database = database;
    this.#clock = clock;
    this.siteId = siteId;
    this.#source = source;
    this.#wasEnabled = source.enabled;
    this.run = run;
    this.confirmation = confirmation;
    this.#holder = holder;
    // A run that is continued counts what was done before.
    this.#results = new Map(run.collections.map((result) => [result.key, result]));
    this.#renewedAt = clock().getTime();
  }

  get database(): Database {
    return this.#database;
  }

  /** With its settings as of the last transaction. */
  get source(): StoredSource {
    return this.#source;
  }

  get now(): Timestamp {
    return this.#clock().toISOString();
  }

  get results(): CollectionResult[] {
    return [...this.#results.values()];
  }

  get groupsToDelete(): StoredRun['groupsToDelete'] {
    return [...this.#groupsToDelete].map(([groupId, name]) => ({ groupId, name }));
  }

  /** Whether the grace period of the source has passed since a time. */
  isGraceOver(since: Timestamp): boolean {
    return timestampAfter(since, this.#source.graceDays * millisecondsPerDay) <= this.now;
  }

  /** Lists a group that is deleted with a confirmation or after the grace period. */
  async reportGroupToDelete(groupId: string): Promise<void> {
    const { name } = await findAccessGroup(this.#database, this.siteId, groupId, this.now);
    this.#groupsToDelete.set(groupId, name);
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

  /**
   * Changes the site as the source, while this process has the run.
   * @throws {LeaseLost}
   * @throws {SourceTurnedOff}
   */
  async change<T>(work: (change: Change) => Promise<T>, counted?: (result: T) => void): Promise<T> {
    const result = await this.#changeWithLease(async (change) => {
      if (this.#wasEnabled && !this.#source.enabled) throw new SourceTurnedOff();
      return work(change);
    });
    counted?.(result);
    return result;
  }

  /** Renews the lease if a third of it has passed. */
  async renew(): Promise<void> {
    if (this.#clock().getTime() < this.#renewedAt + runLeaseMilliseconds / 3) return;
    await this.change(async () => {});
  }

  /** Ends the run with `work`, while this process has it. */
  async end<T>(work: (change: Change, holder: string) => Promise<T>): Promise<T> {
    return this.#changeWithLease((change) => work(change, this.#holder));
  }

  /**
   * As `change`, if the collection is still chosen, or not, with the same columns.
   * @throws {CollectionChanged}
   */
  async changeCollection<T>(
    { key, columns, removedAt }: SourceCollection,
    work: (change: Change) => Promise<T>,
    counted?: (result: T) => void,
  ): Promise<T> {
    return this.change(async (change) => {
      const current = await selectCollection(change.tx, this.siteId, this.#source.id, key);
      const isSame =
        current?.removedAt === removedAt && JSON.stringify(current.columns) === JSON.stringify(columns);
      if (!isSame) throw new CollectionChanged();
      return work(change);
    }, counted);
  }

  async #changeWithLease<T>(work: (change: Change) => Promise<T>): Promise<T> {
    const at = this.now;
    const result = await this.#database.transaction((tx) =>
      makeChange(tx, this.siteId, this.#contextAt(at), async (change) => {
        await this.#requireLease(change, at);
        return work(change);
      }),
    );
    this.#renewedAt = Date.parse(at);
    return result;
  }

  async #requireLease({ tx }: Change, at: Timestamp): Promise<void> {
    // The source first, as everywhere, to prevent deadlocks.
    const source = await lockSourceRow(tx, this.siteId, this.#source.id);
    const leaseEnd = timestampAfter(at, runLeaseMilliseconds);
    const holds =
      source && (await updateRunProgress(tx, this.siteId, this.run.id, this.#holder, leaseEnd, this.results));
    if (!holds) throw new LeaseLost();
    this.#source = toStoredSource(source);
  }

  #contextAt(at: Timestamp): ChangeContext {
    const { id, name } = this.source;
    return { actor: { type: 'source', id, name }, requestId: null, clientAddress: null, at };
  }
}
