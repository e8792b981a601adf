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
 * The one connection that writes. Transactions that arrive together share one commit and its fsync, with a savepoint
 * each, and are answered after it: one that fails undoes itself alone, and none is answered before it is on disk.
 */
export class SqliteWriter {
  readonly connection: SqliteConnection;
  readonly #waiting: Job[] = [];
  #running: Promise<void> | undefined;

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
    const answers: (() => void)[] = [];
    let rejectAll: Job[] = [];
    try {
      this.connection.command('BEGIN IMMEDIATE');
      const end = performance.now() + groupMilliseconds;
      do {
        const job = this.#waiting.shift()!;
        rejectAll.push(job);
        answers.push(await this.#runJob(job));
      } while (this.#waiting.length > 0 && performance.now() < end);
      this.connection.command('COMMIT');
      rejectAll = [];
    } catch (error) {
      this.#rollBack();
      if (rejectAll.length === 0) rejectAll = this.#waiting.splice(0);
      for (const job of rejectAll) job.reject(error);
      return;
    }
    for (const answer of answers) answer();
  }

  /** Gives what is to be told once the group is committed. */
  async #runJob(job: Job): Promise<() => void> {
    this.connection.command('SAVEPOINT job');
    try {
      const result = await job.run(this.#transaction());
      this.connection.command('RELEASE job');
      return () => job.resolve(result);
    } catch (error) {
      // A full disk can end the whole transaction; then there is nothing to go back to, and the group fails as one.
      if (!this.connection.database.isTransaction) throw error;
      this.connection.command('ROLLBACK TO job');
      this.connection.command('RELEASE job');
      return () => job.reject(error);
    }
  }

  #transaction(): Transaction {
    const { connection } = this;
    return {
      ...connection.queries(),
      insert: async (table, columns, rows, ending) => connection.insert(table, columns, rows, ending),
      // There is one writer, and it runs one job after another: nobody else can hold the lock.
      tryLock: async () => true,
      // Every commit shows in the file's data version.
      signal: async () => {},
      attempt: async (work) => {
        connection.command('SAVEPOINT attempt');
        try {
          const result = await work();
          connection.command('RELEASE attempt');
          return result;
        } catch (error) {
          if (connection.database.isTransaction) {
            connection.command('ROLLBACK TO attempt');
            connection.command('RELEASE attempt');
          }
          throw error;
        }
      },
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
