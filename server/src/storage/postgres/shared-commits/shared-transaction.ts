import type { Transaction, WorkFacts } from '../../database.ts';
import type { PostgresConnection } from '../connections/postgres-connection.ts';
import { rejectUnconfirmed, translatePostgresError } from '../postgres-errors.ts';
import { type FeedWrite, writeFeed } from './feed-writes.ts';
import { TransactionPart, type TransactionParts } from './transaction-part.ts';

/** Work that takes longer gets its own transaction, so that the others do not wait for it. */
const slowMilliseconds = 500;
/** Shorter than the time after which PostgreSQL looks for deadlocks, which it would end by aborting a transaction. */
const lockMilliseconds = 250;
const limits = `SET LOCAL lock_timeout = ${lockMilliseconds}; SET LOCAL statement_timeout = ${slowMilliseconds}`;
const siteLock = 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))';

/** The work of a transaction while its caller waits for it. */
export interface RunningWork<Result> {
  readonly requestId?: WorkFacts['requestId'];
  readonly sendsOneStatement?: WorkFacts['sendsOneStatement'];
  /** May run more than once. */
  run(transaction: Transaction): Promise<Result>;
  /** Whether its caller has already received an error. */
  isOver(): boolean;
}

export interface PendingWork extends RunningWork<unknown> {
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

/** A part of a transaction cannot be rolled back alone, because it has no savepoint. */
export class RollbackRequired extends Error {
  /** The work of this part, if it needs its own transaction. */
  readonly work: PendingWork | undefined;

  constructor(work: PendingWork | undefined) {
    super('The transaction must be rolled back.');
    this.work = work;
  }
}

/** The caller of some work has already received an error, so the transaction was not committed. */
class WorkIsOver extends Error {
  constructor() {
    super('The transaction took too long.');
  }
}

/**
 * One transaction for the work of several callers, which runs one after another, as if each had been committed before
 * the next. No caller gets a result before the commit.
 */
export class SharedTransaction {
  /** Settle the work of each caller. To be called after the commit. */
  readonly settlers: (() => void)[] = [];
  /** Work that needs its own transaction, after this one. */
  readonly unshared: PendingWork[] = [];
  readonly #connection: PostgresConnection;
  readonly #parts: TransactionParts;
  readonly #savepoints: boolean;
  readonly #done: PendingWork[] = [];
  /** What work has left to be written to the feed. */
  readonly #feedWrites: FeedWrite[] = [];

  /** @param savepoints whether work can be rolled back alone after it has written; costs two more statements each */
  constructor(connection: PostgresConnection, parts: TransactionParts, savepoints: boolean) {
    this.#connection = connection;
    this.#parts = parts;
    this.#savepoints = savepoints;
  }

  /**
   * Runs all work and commits it.
   * @throws {RollbackRequired} when work failed after it had written, and there are no savepoints
   */
  async run(siteId: string, next: () => PendingWork | undefined): Promise<void> {
    try {
      // One at a time over all processes: work locks rows in any order, so that two would wait for each other.
      const begun = this.#control('BEGIN');
      const locked = this.#connection.query(siteLock, [`shared ${siteId}`], true);
      await Promise.all([begun, locked, this.#control(limits)]);
      await this.#runParts(next);
      await writeFeed(this.#parts.open(this.#connection, this.#parts.queryFor(undefined)), this.#feedWrites);
      if (this.#done.some((work) => work.isOver())) throw new WorkIsOver();
      const { command } = await this.#control('COMMIT').catch(rejectUnconfirmed);
      if (command !== 'COMMIT') throw new Error('A statement failed and its error was ignored.');
    } catch (error) {
      await this.#control('ROLLBACK').catch(() => this.#connection.lose());
      throw error;
    }
  }

  /**
   * The next work begins when the one before has ended, so that nothing comes between the statements of either. Work that
   * sends one statement only has no such place: when it is sent the next work begins, and the round trips overlap.
   */
  async #runParts(next: () => PendingWork | undefined): Promise<void> {
    const running: Promise<void>[] = [];
    for (let work = next(); work; work = next()) {
      while (work) {
        const part = this.#newPart(work, [...running]);
        running.push(this.#runPart(work, part));
        await (work.sendsOneStatement && !this.#savepoints ? part.hasSent : settleAll(running));
        work = next();
      }
      await settleAll(running);
    }
  }

  /** @param running the parts before it that have not ended */
  #newPart(
    { requestId, sendsOneStatement = false }: PendingWork,
    running: readonly Promise<void>[],
  ): TransactionPart {
    const maxStatements = sendsOneStatement ? 1 : Number.POSITIVE_INFINITY;
    const limits = { slowMilliseconds, maxStatements };
    const earlier = { running, feedWrites: this.#feedWrites };
    return new TransactionPart(this.#connection, this.#parts, requestId, earlier, limits);
  }

  async #runPart(work: PendingWork, part: TransactionPart): Promise<void> {
    if (this.#savepoints) await this.#control('SAVEPOINT part');
    const [settled] = await Promise.allSettled([work.run(part.transaction)]);
    await part.end();
    if (settled.status === 'fulfilled' && part.isIntact) {
      if (this.#savepoints) await this.#control('RELEASE SAVEPOINT part');
      this.#feedWrites.push(...part.feedWrites);
      this.#done.push(work);
      this.settlers.push(() => work.resolve(settled.value));
      return;
    }
    part.restoreFeedWrites();
    if (this.#savepoints) await this.#control('ROLLBACK TO SAVEPOINT part; RELEASE SAVEPOINT part');
    else if (part.leavesTraces) throw new RollbackRequired(part.needsOwnTransaction ? work : undefined);
    if (part.needsOwnTransaction) this.unshared.push(work);
    else this.settlers.push(() => work.reject(errorOf(settled)));
  }

  #control(text: string) {
    return this.#connection.query(text, []);
  }
}

/** Waits for all, and removes them. @throws what the first of them that failed has thrown */
async function settleAll(running: Promise<void>[]): Promise<void> {
  for (const result of await Promise.allSettled(running.splice(0)))
    if (result.status === 'rejected') throw result.reason;
}

function errorOf(settled: PromiseSettledResult<unknown>): unknown {
  return settled.status === 'rejected'
    ? translatePostgresError(settled.reason)
    : new Error('A statement of the transaction failed and its error was ignored.');
}
