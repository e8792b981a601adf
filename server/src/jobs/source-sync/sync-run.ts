import type { CollectionResult, RunError } from '@gatehouse/contract';
import type { ChangeContext } from '../../base/change-context.ts';
import { type Clock, millisecondsPerDay, type Timestamp, timestampAfter } from '../../base/clock.ts';
import type { Cancel, Timers } from '../../base/timers.ts';
import { findAccessGroup } from '../../domain/access-groups/access-groups.ts';
import { type Change, makeChange } from '../../domain/events/change.ts';
import type { SourceCollection } from '../../domain/sources/collections/collection.ts';
import { findCollection } from '../../domain/sources/collections/collections.ts';
import {
  noCounts,
  type RunCounts,
  type StoredResult,
  type StoredRun,
} from '../../domain/sources/runs/run.ts';
import { renewRun, runLeaseMilliseconds } from '../../domain/sources/runs/runs.ts';
import { lockSourceIfExists } from '../../domain/sources/source/locked-source.ts';
import type { StoredSource } from '../../domain/sources/source/source.ts';
import type { Database } from '../../storage/database.ts';
import type { Confirmation } from './removals.ts';
import { SourceMembers } from './source-members.ts';

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

const renewalMilliseconds = runLeaseMilliseconds / 3;

export interface RunParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly timers: Timers;
}

interface ClaimedRun {
  readonly siteId: string;
  readonly source: StoredSource;
  readonly run: StoredRun;
  readonly holder: string;
  readonly confirmation: Confirmation;
  /** Aborted when Gatehouse stops. */
  readonly stopping: AbortSignal;
}

/**
 * A run in this process: its lease and its results so far. Every transaction of a run goes through `change`, which
 * renews the lease and stores the progress, and fails if another process has taken the run. Between them a timer renews
 * the lease, because reading a workspace may take longer, until the run is closed.
 */
export class SyncRun {
  readonly siteId: string;
  readonly run: StoredRun;
  readonly confirmation: Confirmation;
  /** As of the time before anybody is removed. */
  readonly members: SourceMembers;
  /** Aborted when Gatehouse stops, the lease is lost, or the source is turned off. */
  readonly signal: AbortSignal;
  readonly #parts: RunParts;
  readonly #holder: string;
  readonly #results: Map<string, StoredResult>;
  readonly #interrupted = new AbortController();
  /** Their names, by id. */
  readonly #groupsToDelete = new Map<string, string>();
  readonly #uncertain = new Set<string>();
  #hasUnreadable = false;
  readonly #wasEnabled: boolean;
  #source: StoredSource;
  #changes = 0;
  #cancelRenewal: Cancel;
  #renewal = Promise.resolve();

  constructor(parts: RunParts, { siteId, source, run, holder, confirmation, stopping }: ClaimedRun) {
    this.#parts = parts;
    this.siteId = siteId;
    this.run = run;
    this.confirmation = confirmation;
    this.members = new SourceMembers(parts.database, siteId, source.id);
    this.signal = AbortSignal.any([stopping, this.#interrupted.signal]);
    this.#source = source;
    // It may have been turned off since the run was planned.
    this.#wasEnabled = source.enabled || run.trigger === 'schedule' || run.trigger === 'change';
    this.#holder = holder;
    // A run that is continued counts what was done before.
    this.#results = new Map(run.collections.map((result) => [result.key, result]));
    this.#cancelRenewal = this.#renewLater();
  }

  get database(): Database {
    return this.#parts.database;
  }

  /** With its settings as of the last transaction. */
  get source(): StoredSource {
    return this.#source;
  }

  /** Why the run has to end before it is done, if it has to. */
  get interruption(): LeaseLost | SourceTurnedOff | undefined {
    return this.#interrupted.signal.reason;
  }

  get now(): Timestamp {
    return this.#parts.clock().toISOString();
  }

  get results(): StoredResult[] {
    return [...this.#results.values()];
  }

  /** The addresses of those whose row in a collection has an unknown value. */
  get uncertain(): ReadonlySet<string> {
    return this.#uncertain;
  }

  noteUncertain(emails: ReadonlySet<string>): void {
    for (const email of emails) this.#uncertain.add(email);
  }

  /** A collection has rows whose address cannot be read, and nobody has confirmed who is missing because of them. */
  noteUnreadable(): void {
    this.#hasUnreadable = true;
  }

  /** Whether a collection could not be read, in part or at all, or was changed during the run. */
  get isIncomplete(): boolean {
    if (this.#hasUnreadable) return true;
    return this.results.some(({ error }) => error !== null && error.code !== 'not_found');
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
    const { name } = await findAccessGroup(this.database, this.siteId, groupId, this.now);
    this.#groupsToDelete.set(groupId, name);
  }

  resultOf({ key, name }: Pick<SourceCollection, 'key' | 'name'>): CollectionResult {
    const result = this.#results.get(key) ?? {
      key,
      name,
      ...noCounts,
      error: null,
      skippedPeople: [],
      sample: { added: [], removed: [] },
    };
    return { ...result, name };
  }

  report(result: StoredResult): void {
    this.#results.set(result.key, result);
  }

  fail(collection: SourceCollection, error: RunError): void {
    this.report({ ...this.resultOf(collection), error });
  }

  /** Adds to the numbers of a collection. */
  count(collection: Pick<SourceCollection, 'key' | 'name'>, counts: Partial<RunCounts>): void {
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
    this.signal.throwIfAborted();
    const result = await this.#transact(async (change) => {
      if (this.#wasEnabled && !this.#source.enabled) throw new SourceTurnedOff();
      return work(change);
    });
    counted?.(result);
    return result;
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
      const current = await findCollection(change.tx, this.siteId, this.#source.id, key);
      const isSame =
        current?.removedAt === removedAt && JSON.stringify(current.columns) === JSON.stringify(columns);
      if (!isSame) throw new CollectionChanged();
      return work(change);
    }, counted);
  }

  /** Renews the lease, and reads the settings of the source. Throws as `change`. */
  refresh(): Promise<void> {
    return this.change(async () => {});
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
      await this.refresh();
    } catch (error) {
      // After any other error the lease still has some time, and the next renewal or change may succeed.
      if (error instanceof LeaseLost || error instanceof SourceTurnedOff) this.#interrupted.abort(error);
    }
  }

  async #requireLease({ tx }: Change, at: Timestamp): Promise<void> {
    // The source first, as everywhere, to prevent deadlocks.
    const source = await lockSourceIfExists(tx, this.siteId, this.source.id);
    const leaseEnd = timestampAfter(at, runLeaseMilliseconds);
    const holds =
      source && (await renewRun(tx, this.siteId, this.run.id, this.#holder, leaseEnd, this.results));
    if (!holds) throw new LeaseLost();
    this.#source = source;
  }

  #contextAt(at: Timestamp): ChangeContext {
    const { id, name } = this.source;
    return { actor: { type: 'source', id, name }, requestId: null, ipAddress: null, at };
  }
}
