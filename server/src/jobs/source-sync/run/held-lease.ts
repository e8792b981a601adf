import type { Clock, Timestamp } from '../../../base/clock.ts';
import type { Timers } from '../../../base/timers.ts';
import { type Change, makeChange } from '../../../domain/events/change.ts';
import type { SourceCollection } from '../../../domain/sources/collections/collection.ts';
import { findCollection } from '../../../domain/sources/collections/collections.ts';
import type { ClaimedRun, StoredResult } from '../../../domain/sources/runs/run.ts';
import { renewLease } from '../../../domain/sources/runs/run-lease.ts';
import type { StoredSource } from '../../../domain/sources/source/source.ts';
import type { Database } from '../../../storage/database.ts';
import { CollectionChanged, LeaseLost, SourceTurnedOff } from './interruptions.ts';
import { LeaseRenewal } from './lease-renewal.ts';

export interface LeaseParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly timers: Timers;
}

/**
 * The lease of a run, until it is closed. Every transaction of a run goes through it: it renews the lease, stores the
 * results so far, reads the settings of the source, and fails if another process has the run.
 */
export class HeldLease {
  /** Aborted when Gatehouse stops, the lease is lost, or the source is turned off. */
  readonly signal: AbortSignal;
  readonly #parts: LeaseParts;
  readonly #claimed: ClaimedRun;
  readonly #results: () => readonly StoredResult[];
  readonly #interrupted = new AbortController();
  readonly #renewal: LeaseRenewal;
  readonly #endsWhenTurnedOff: boolean;
  #source: StoredSource;

  /** @param run `results` are those so far; `stopping` is aborted when Gatehouse stops */
  constructor(
    parts: LeaseParts,
    claimed: ClaimedRun,
    source: StoredSource,
    run: { readonly results: () => readonly StoredResult[]; readonly stopping: AbortSignal },
  ) {
    this.#parts = parts;
    this.#claimed = claimed;
    this.#source = source;
    this.#results = run.results;
    this.signal = AbortSignal.any([run.stopping, this.#interrupted.signal]);
    // A planned run belongs to a source that was turned on, and may have been turned off since then.
    const { trigger } = claimed.run;
    this.#endsWhenTurnedOff = source.enabled || trigger === 'schedule' || trigger === 'change';
    this.#renewal = new LeaseRenewal(parts.timers, () => this.#renew());
  }

  get now(): Timestamp {
    return this.#parts.clock().toISOString();
  }

  /** With its settings as of the last transaction. */
  get source(): StoredSource {
    return this.#source;
  }

  /** Why the run has to end before it is done, if it has to. */
  get interruption(): LeaseLost | SourceTurnedOff | undefined {
    return this.#interrupted.signal.reason;
  }

  /**
   * Changes the site as the source, while this process has the run.
   * @throws {LeaseLost}
   * @throws {SourceTurnedOff}
   */
  async change<T>(work: (change: Change) => Promise<T>): Promise<T> {
    this.signal.throwIfAborted();
    return this.#transact((change) => {
      if (this.#endsWhenTurnedOff && !this.#source.enabled) throw new SourceTurnedOff();
      return work(change);
    });
  }

  /**
   * As `change`, if the collection is still chosen, or not, with the same columns.
   * @throws {CollectionChanged}
   */
  async changeCollection<T>(collection: SourceCollection, work: (change: Change) => Promise<T>): Promise<T> {
    return this.change(async (change) => {
      const current = await findCollection(change, this.#source.id, collection.key);
      if (!current || isChosenDifferently(current, collection)) throw new CollectionChanged();
      return work(change);
    });
  }

  /** Renews the lease, and reads the settings of the source. Throws as `change`. */
  refresh(): Promise<void> {
    return this.change(async () => {});
  }

  /** As `change`, also if the run was interrupted, for what belongs to its end. @throws {LeaseLost} */
  changeEvenIfInterrupted<T>(work: (change: Change, claimed: ClaimedRun) => Promise<T>): Promise<T> {
    return this.#transact((change) => work(change, this.#claimed));
  }

  /** Renews the lease no more. */
  close(): Promise<void> {
    return this.#renewal.close();
  }

  #transact<T>(work: (change: Change) => Promise<T>): Promise<T> {
    const { siteId } = this.#claimed;
    const { id, name } = this.#source;
    const at = this.now;
    const context = {
      actor: { type: 'source' as const, id, name },
      requestId: null,
      ipAddress: null,
      at,
    };
    return this.#renewal.pauseDuring(() =>
      this.#parts.database.transaction((tx) =>
        makeChange({ db: tx, siteId }, context, async (change) => {
          const source = await renewLease(tx, this.#claimed, this.#results(), at);
          if (!source) throw new LeaseLost();
          this.#source = source;
          return work(change);
        }),
      ),
    );
  }

  async #renew(): Promise<void> {
    try {
      await this.refresh();
    } catch (error) {
      // After any other error the lease still has some time, and the next renewal or change may succeed.
      if (error instanceof LeaseLost || error instanceof SourceTurnedOff) this.#interrupted.abort(error);
    }
  }
}

function isChosenDifferently(one: SourceCollection, other: SourceCollection): boolean {
  return one.removedAt !== other.removedAt || JSON.stringify(one.columns) !== JSON.stringify(other.columns);
}
