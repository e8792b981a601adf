import type { Transaction } from './database.ts';
import type { SqliteConnection } from './sqlite-connection.ts';

/** How long transactions may gather in one commit. The first of them waits at most this long for the others. */
const groupMilliseconds = 8;

interface Job {
  run(transaction: Transaction): Promise<unknown>;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/**
 * The one connection that writes. Transactions that arrive together share one commit and its fsync, and are answered
 * after it: one that fails is undone alone, and none is answered before it is on disk.
 */
export class SqliteWriter {
  readonly connection: SqliteConnection;
  readonly #waiting: Job[] = [];
  #running: Promise<void> | undefined;
  #undoNeeded = false;

  constructor(connection: SqliteConnection) {
    this.connection = connection;
  }

  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ run: work, resolve: resolve as (value: unknown) => void, reject });
      this.#running ??= this.#drain();
    });
  }

  async close(): Promise<void> {
    await this.#running;
    this.connection.close();
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      // Requests that have arrived by now join this group.
      await new Promise(setImmediate);
      await this.#commitGroup();
    }
    this.#running = undefined;
  }

  async #commitGroup(): Promise<void> {
    const group: Job[] = [];
    let answers: (() => void)[];
    try {
      answers = await this.#tryGroup(group, false);
    } catch (error) {
      this.#rollBack();
      if (!(error instanceof UndoNeeded)) return this.#rejectGroup(group, error);
      try {
        answers = await this.#tryGroup(group, true);
      } catch (again) {
        this.#rollBack();
        return this.#rejectGroup(group, again);
      }
    }
    for (const answer of answers) answer();
  }

  /**
   * Runs a group in one transaction: the jobs that it has, or, when it is empty, those that wait. Gives what is to
   * be told now that it is committed.
   * @throws UndoNeeded when a job has failed that had written, and there are no savepoints to go back to
   */
  async #tryGroup(group: Job[], savepoints: boolean): Promise<(() => void)[]> {
    const answers: (() => void)[] = [];
    this.#undoNeeded = false;
    this.connection.command('BEGIN IMMEDIATE');
    if (group.length > 0) {
      for (const job of group) answers.push(await this.#runJob(job, savepoints));
    } else {
      const end = performance.now() + groupMilliseconds;
      do {
        const job = this.#waiting.shift()!;
        group.push(job);
        answers.push(await this.#runJob(job, savepoints));
      } while (this.#waiting.length > 0 && performance.now() < end);
    }
    this.connection.command('COMMIT');
    return answers;
  }

  #rejectGroup(group: Job[], error: unknown): void {
    // Where the transaction could not even begin, nobody who waits can be served.
    for (const job of group.length > 0 ? group : this.#waiting.splice(0)) job.reject(error);
  }

  async #runJob(job: Job, savepoints: boolean): Promise<() => void> {
    const part = this.#part(savepoints, 'job');
    try {
      return await part(async () => {
        const result = await job.run(this.#transaction(savepoints));
        // Also where the job made nothing of it that a part had failed.
        if (this.#undoNeeded) throw new UndoNeeded();
        return () => job.resolve(result);
      });
    } catch (error) {
      // A full disk can end the whole transaction; then the group fails as one.
      if (this.#undoNeeded || !this.connection.database.isTransaction) throw error;
      return () => job.reject(error);
    }
  }

  #transaction(savepoints: boolean): Transaction {
    const { connection } = this;
    return {
      ...connection.queries(),
      insert: async (table, columns, rows, ending) => connection.insert(table, columns, rows, ending),
      // There is one writer, and it runs one job after another: nobody else can hold the lock.
      tryLock: async () => true,
      // Every commit shows in the file's data version.
      signal: async () => {},
      attempt: this.#part(savepoints, 'attempt'),
    };
  }

  /**
   * A part of the transaction that may fail alone. A savepoint makes every statement within it dearer, the more the
   * longer it lasts (measured: a bulk of 500 twice as slow), and nearly all that fail have written nothing. So the
   * first try goes without, and only one that would have to be undone makes the group run again with savepoints.
   */
  #part(savepoints: boolean, name: string): <T>(work: () => Promise<T>) => Promise<T> {
    const { connection } = this;
    return async (work) => {
      if (!savepoints) {
        const changes = connection.totalChanges();
        return work().catch((error) => {
          if (connection.totalChanges() === changes) throw error;
          this.#undoNeeded = true;
          throw new UndoNeeded();
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
      // SQLite has rolled back already; the cause is what the jobs are told.
    }
  }
}

/** A part of a transaction has failed after it had written. */
class UndoNeeded extends Error {}
