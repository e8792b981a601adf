import { StoreUnavailable } from '../../errors.ts';
import type { PostgresConnection } from '../connections/postgres-connection.ts';
import { needsOwnTransaction, translatePostgresError } from '../postgres-errors.ts';
import {
  type PendingWork,
  RollbackRequired,
  type RunningWork,
  SharedTransaction,
} from './shared-transaction.ts';
import type { TransactionParts } from './transaction-part.ts';

/** How long a transaction accepts further work. The first work waits at most this long for the others. */
const groupMilliseconds = 50;
/** Each may have two savepoints. With more than 64 in a transaction, every reader of its rows becomes slower. */
const maxGroupSize = 32;

export interface SharedCommitsParts extends TransactionParts {
  /** Provides a connection for exclusive use. */
  withConnection<T>(use: (connection: PostgresConnection) => Promise<T>): Promise<T>;
  /** Runs work in its own transaction. */
  runAlone(work: RunningWork<unknown>): Promise<unknown>;
  /** The maximum wait of work while no other work of its site begins. */
  readonly waitMilliseconds: number;
}

/**
 * Lets work of the same site share transactions. Writers of a site would commit one after another anyway, because
 * each locks the event feed until its commit. Work of a site that is idle has its own transaction. What arrives
 * meanwhile shares one, and what arrives during that one shares the next.
 */
export class SharedCommits {
  readonly #parts: SharedCommitsParts;
  /** The waiting work of each site that is not idle. */
  readonly #sites = new Map<string, WorkQueue>();

  constructor(parts: SharedCommitsParts) {
    this.#parts = parts;
  }

  /** @throws {StoreUnavailable} when the work could not begin in time, or its commit failed */
  transaction<Result>(siteId: string, work: RunningWork<Result>): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      void this.#begin(siteId, { ...work, reject, resolve: resolve as (result: unknown) => void });
    });
  }

  async #begin(siteId: string, work: PendingWork): Promise<void> {
    const known = this.#sites.get(siteId);
    const queue = known ?? new WorkQueue(this.#parts.waitMilliseconds);
    queue.users += 1;
    if (known === undefined) {
      this.#sites.set(siteId, queue);
      await this.#runAlone(work);
    } else {
      queue.add(work);
      if (!queue.isServed) await this.#serve(siteId, queue);
    }
    queue.users -= 1;
    if (queue.users === 0) this.#sites.delete(siteId);
  }

  async #serve(siteId: string, queue: WorkQueue): Promise<void> {
    queue.isServed = true;
    while (!queue.isEmpty) await this.#commitGroup(siteId, queue);
    queue.isServed = false;
  }

  async #commitGroup(siteId: string, queue: WorkQueue): Promise<void> {
    const group: PendingWork[] = [];
    try {
      const { settlers, unshared } = await this.#parts.withConnection((connection) =>
        this.#runGroup(connection, siteId, queue, group),
      );
      for (const settle of settlers) settle();
      for (const work of unshared) void this.#runAlone(work);
    } catch (error) {
      const reason = translatePostgresError(error);
      const isUncommitted = needsOwnTransaction(error) || !(reason instanceof StoreUnavailable);
      if (isUncommitted) for (const work of group) void this.#runAlone(work);
      else for (const work of group.length > 0 ? group : queue.drain()) work.reject(reason);
    }
  }

  /**
   * Nearly all work succeeds, or fails before it has written. So the first attempt uses no savepoints, and only when
   * something must be rolled back does the group run again with them.
   */
  async #runGroup(
    connection: PostgresConnection,
    siteId: string,
    queue: WorkQueue,
    group: PendingWork[],
  ): Promise<SharedTransaction> {
    let end = Number.POSITIVE_INFINITY;
    const shared = new SharedTransaction(connection, this.#parts, false);
    try {
      await shared.run(siteId, () => {
        if (group.length === maxGroupSize || performance.now() > end) return undefined;
        if (group.length === 0) end = performance.now() + groupMilliseconds;
        const work = queue.take();
        if (work) group.push(work);
        return work;
      });
      return shared;
    } catch (error) {
      if (!(error instanceof RollbackRequired)) throw error;
      const unshared = new Set([...shared.unshared, ...(error.work ? [error.work] : [])]);
      const works = group.filter((work) => !unshared.has(work));
      const again = new SharedTransaction(connection, this.#parts, true);
      await again.run(siteId, () => {
        let work = works.shift();
        while (work?.isOver()) work = works.shift();
        return work;
      });
      again.unshared.push(...unshared);
      return again;
    }
  }

  async #runAlone(work: PendingWork): Promise<void> {
    await this.#parts.runAlone(work).then(work.resolve, work.reject);
  }
}

/** Work in the order of its arrival. It is rejected when nothing has been taken for too long. */
class WorkQueue {
  /** The number of those who use this queue. */
  users = 0;
  /** Whether someone takes its work. */
  isServed = false;
  readonly #waitMilliseconds: number;
  readonly #waiting = new Map<PendingWork, NodeJS.Timeout>();
  #takenAt = 0;

  constructor(waitMilliseconds: number) {
    this.#waitMilliseconds = waitMilliseconds;
  }

  get isEmpty(): boolean {
    return this.#waiting.size === 0;
  }

  add(work: PendingWork): void {
    this.#limitWait(work, this.#waitMilliseconds);
  }

  take(): PendingWork | undefined {
    for (const [work, timer] of this.#waiting) {
      clearTimeout(timer);
      this.#waiting.delete(work);
      this.#takenAt = performance.now();
      if (!work.isOver()) return work;
    }
    return undefined;
  }

  drain(): PendingWork[] {
    const all: PendingWork[] = [];
    for (let work = this.take(); work; work = this.take()) all.push(work);
    return all;
  }

  #limitWait(work: PendingWork, milliseconds: number): void {
    const timer = setTimeout(() => {
      const left = this.#takenAt + this.#waitMilliseconds - performance.now();
      if (left > 0) return this.#limitWait(work, left);
      this.#waiting.delete(work);
      work.reject(new StoreUnavailable(new Error(`No work began within ${this.#waitMilliseconds} ms.`)));
    }, milliseconds);
    this.#waiting.set(work, timer);
  }
}
