import { Histogram } from '../../base/metrics/histogram.ts';
import { gauge, type Metric } from '../../base/metrics/metric.ts';
import type { Transaction } from '../database.ts';
import { addQueuedTexts } from '../sql/text-search.ts';
import type { SqliteConnection } from './sqlite-connection.ts';

/** How long transactions may be collected for one commit. The first one waits at most this long for the others. */
const groupMilliseconds = 8;
/** How long a transaction of background work waits at most while there are others. */
const backgroundWaitMilliseconds = 100;
const groupSizes = [1, 2, 4, 8, 16, 32, 64, 128, 256];

interface Job {
  /** By `performance.now()`. */
  readonly since: number;
  readonly requestId: string | undefined;
  run(transaction: Transaction): Promise<unknown>;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/**
 * The only connection that writes. Transactions that arrive together share one commit and its fsync, and get their results
 * after it. A failed transaction is rolled back alone, and none gets a result before it is on disk.
 */
export class SqliteWriter {
  readonly connection: SqliteConnection;
  readonly #waiting: Job[] = [];
  readonly #background: Job[] = [];
  #running: Promise<void> | undefined;
  #undoNeeded = false;
  readonly #sizes = new Histogram(
    'gatehouse_sqlite_group_transactions',
    'Transactions that share one commit.',
    groupSizes,
  );
  readonly #durations = new Histogram(
    'gatehouse_sqlite_group_duration_seconds',
    'Time from the first transaction of a group to the end of its commit.',
  );
  readonly #size = this.#sizes.of({});
  readonly #duration = this.#durations.of({});

  constructor(connection: SqliteConnection) {
    this.connection = connection;
  }

  /** @param requestId logged with slow statements */
  transaction<T>(work: (transaction: Transaction) => Promise<T>, requestId?: string): Promise<T> {
    return this.#add(this.#waiting, work, requestId);
  }

  /** As `transaction`, but those of visitors and clients go first. */
  backgroundTransaction<T>(work: (transaction: Transaction) => Promise<T>, requestId?: string): Promise<T> {
    return this.#add(this.#background, work, requestId);
  }

  metrics(): readonly Metric[] {
    const waiting = this.#waiting.length + this.#background.length;
    return [
      this.#sizes.metric(),
      this.#durations.metric(),
      gauge('gatehouse_sqlite_waiting_transactions', 'Transactions that wait for the next group.', waiting),
    ];
  }

  async close(): Promise<void> {
    await this.#running;
    this.connection.close();
  }

  #add<T>(
    jobs: Job[],
    work: (transaction: Transaction) => Promise<T>,
    requestId: string | undefined,
  ): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const since = performance.now();
      jobs.push({ since, requestId, run: work, resolve: resolve as (value: unknown) => void, reject });
      this.#running ??= this.#drain();
    });
  }

  #nextJob(now: number): Job | undefined {
    const [background] = this.#background;
    const isTooLate = background !== undefined && now > background.since + backgroundWaitMilliseconds;
    return (isTooLate ? undefined : this.#waiting.shift()) ?? this.#background.shift();
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length + this.#background.length > 0) {
      // Requests that have already arrived join this group.
      await new Promise(setImmediate);
      await this.#commitGroup();
    }
    this.#running = undefined;
  }

  async #commitGroup(): Promise<void> {
    const group: Job[] = [];
    const startedAt = performance.now();
    let settlers: (() => void)[];
    try {
      settlers = await this.#tryGroup(group, false);
    } catch (error) {
      this.#rollBack();
      if (!(error instanceof RollbackRequired)) return this.#rejectGroup(group, error);
      try {
        settlers = await this.#tryGroup(group, true);
      } catch (again) {
        this.#rollBack();
        return this.#rejectGroup(group, again);
      }
    }
    this.#size.observe(group.length);
    this.#duration.observeMilliseconds(performance.now() - startedAt);
    for (const settle of settlers) settle();
  }

  /**
   * Runs a group in one transaction: its jobs or, when it is empty, the waiting ones. Returns the callbacks to run now
   * that it is committed.
   * @throws {RollbackRequired} when a job failed after it had written, and there are no savepoints to roll back to
   */
  async #tryGroup(group: Job[], savepoints: boolean): Promise<(() => void)[]> {
    const settlers: (() => void)[] = [];
    this.#undoNeeded = false;
    this.connection.command('BEGIN IMMEDIATE');
    if (group.length > 0) {
      for (const job of group) settlers.push(await this.#runJob(job, savepoints));
    } else {
      const start = performance.now();
      for (let now = start; now < start + groupMilliseconds; now = performance.now()) {
        const job = this.#nextJob(now);
        if (!job) break;
        group.push(job);
        settlers.push(await this.#runJob(job, savepoints));
      }
    }
    addQueuedTexts(this.connection);
    this.connection.command('COMMIT');
    return settlers;
  }

  #rejectGroup(group: Job[], error: unknown): void {
    // When the transaction could not begin, all waiting jobs fail.
    const failed = group.length > 0 ? group : [...this.#waiting.splice(0), ...this.#background.splice(0)];
    for (const job of failed) job.reject(error);
  }

  async #runJob(job: Job, savepoints: boolean): Promise<() => void> {
    const part = this.#part(savepoints, 'job');
    try {
      return await part(async () => {
        const result = await job.run(this.#transaction(savepoints, job.requestId));
        // Also when the job ignored the failure of one of its parts.
        if (this.#undoNeeded) throw new RollbackRequired();
        return () => job.resolve(result);
      });
    } catch (error) {
      // A full disk can roll back the whole transaction; then the whole group fails.
      if (this.#undoNeeded || !this.connection.database.isTransaction) throw error;
      return () => job.reject(error);
    }
  }

  #transaction(savepoints: boolean, requestId: string | undefined): Transaction {
    const { connection } = this;
    const transaction: Transaction = {
      ...connection.queries(requestId),
      insert: async (table, columns, rows, ending) =>
        connection.insert(table, columns, rows, ending, requestId),
      // There is one writer, and it runs jobs one after another: no other transaction can hold the lock.
      tryLock: async () => true,
      // The number is not used, and stays the same: the page with it is written anyway.
      checkWritable: async () => connection.command('PRAGMA user_version = 0'),
      // Every commit changes the file's data version.
      signal: async () => {},
      // Each job writes everything itself.
      writeToFeed: (items, write) => write(transaction, items),
      savepoint: this.#part(savepoints, 'attempt'),
    };
    return transaction;
  }

  /**
   * A part of the transaction that may fail on its own. A savepoint makes every statement inside it slower, and
   * increasingly so the longer it lasts (measured: a bulk of 500 is twice as slow), and nearly all failing parts
   * have written nothing. So the first attempt uses none, and only when something must be rolled back does the group
   * run again with savepoints.
   */
  #part(savepoints: boolean, name: string): <T>(work: () => Promise<T>) => Promise<T> {
    const { connection } = this;
    return async (work) => {
      if (!savepoints) {
        const changes = connection.totalChanges();
        return work().catch((error) => {
          if (connection.totalChanges() === changes) throw error;
          this.#undoNeeded = true;
          throw new RollbackRequired();
        });
      }
      connection.command(`SAVEPOINT ${name}`);
      try {
        const result = await work();
        connection.command(`RELEASE ${name}`);
        return result;
      } catch (error) {
        if (connection.database.isTransaction) {
          connection.command(`ROLLBACK TO ${name}`);
          connection.command(`RELEASE ${name}`);
        }
        throw error;
      }
    };
  }

  #rollBack(): void {
    try {
      if (this.connection.database.isTransaction) this.connection.command('ROLLBACK');
    } catch {
      // SQLite has already rolled back; the jobs receive the original error.
    }
  }
}

/** A part of a transaction failed after it had written. */
class RollbackRequired extends Error {}
