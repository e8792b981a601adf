import type { Caller, Transaction } from '../../database.ts';
import { StoreUnavailable } from '../../errors.ts';
import type { PostgresConnection, Query } from '../connections/postgres-connection.ts';
import { needsOwnTransaction } from '../postgres-errors.ts';
import type { QueryResult } from '../row-objects.ts';
import { type FeedWrite, namesFeed, writeFeed } from './feed-writes.ts';

/** How to use a connection for transactions. */
export interface TransactionParts {
  readonly queryFor: (requestId: Caller['requestId']) => Query;
  readonly open: (connection: PostgresConnection, query: Query) => Transaction;
}

export interface PartLimits {
  /** Work that takes longer needs its own transaction. */
  readonly slowMilliseconds: number;
  readonly maxStatements: number;
}

/** The parts of a shared transaction before one. */
export interface EarlierParts {
  /** Those that have not ended. */
  readonly running: readonly Promise<void>[];
  /** What the others have left to be written to the feed. */
  readonly feedWrites: FeedWrite[];
}

/** The part of a shared transaction that belongs to one piece of work, and what has become of it. */
export class TransactionPart {
  readonly transaction: Transaction;
  /** What its work has left to be written to the feed. */
  feedWrites: FeedWrite[] = [];
  readonly #connection: PostgresConnection;
  readonly #parts: TransactionParts;
  readonly #query: Query;
  readonly #slowAt: number;
  readonly #maxStatements: number;
  readonly #firstSent = Promise.withResolvers<void>();
  readonly #running = new Set<Promise<unknown>>();
  readonly #earlier: EarlierParts;
  /** What earlier parts have left and this one has written. */
  #taken: FeedWrite[] = [];
  #writingFeed: Promise<void> | undefined;
  #statements = 0;
  #ended = false;
  #failed = false;
  #wrote = false;
  #needsOwnTransaction = false;

  constructor(
    connection: PostgresConnection,
    parts: TransactionParts,
    requestId: Caller['requestId'],
    earlier: EarlierParts,
    { slowMilliseconds, maxStatements }: PartLimits,
  ) {
    this.#connection = connection;
    this.#parts = parts;
    this.#earlier = earlier;
    this.#query = parts.queryFor(requestId);
    this.#slowAt = performance.now() + slowMilliseconds;
    this.#maxStatements = maxStatements;
    const send: Query = (_, statement) => this.#send(statement);
    const tx = parts.open(connection, send);
    this.transaction = {
      ...tx,
      signal: () => this.#watch(tx.signal()),
      tryLock: (name) => this.#watch(tx.tryLock(name)),
      savepoint: (work) => this.#keep(this.#savepoint(tx, work)),
      writeToFeed: async (items, write) => {
        this.feedWrites.push({ items, write: write as FeedWrite['write'] });
      },
    };
  }

  /** Resolves when the first statement has been sent, or when the work ends without one. */
  get hasSent(): Promise<void> {
    return this.#firstSent.promise;
  }

  /** Whether the transaction can continue with the changes of this part. */
  get isIntact(): boolean {
    return !this.#failed && !this.#needsOwnTransaction;
  }

  /** Whether the transaction cannot continue as if this part had not been there. */
  get leavesTraces(): boolean {
    return this.#failed || this.#wrote;
  }

  /** Whether the work may succeed in a transaction that it does not share. */
  get needsOwnTransaction(): boolean {
    return this.#needsOwnTransaction;
  }

  /** To be called when the part was rolled back: what it has written for earlier parts is to be written again. */
  restoreFeedWrites(): void {
    this.#earlier.feedWrites.unshift(...this.#taken.splice(0));
  }

  /** Rejects further statements, and waits for those that the work has left running. */
  async end(): Promise<void> {
    this.#ended = true;
    this.#firstSent.resolve();
    while (this.#running.size > 0) await Promise.allSettled(this.#running);
  }

  async #send(statement: Parameters<Query>[1]): Promise<QueryResult> {
    if (this.#ended) throw transactionEnded();
    if (performance.now() > this.#slowAt) {
      this.#needsOwnTransaction = true;
      throw new StoreUnavailable(new Error('The work took too long for a shared transaction.'));
    }
    this.#statements += 1;
    if (this.#statements > this.#maxStatements) {
      throw new Error(`This work sends more than ${this.#maxStatements} statement.`);
    }
    if (namesFeed(statement.text)) this.#writingFeed = this.#keep(this.#writeFeed(this.#writingFeed));
    // All statements wait, so that they are sent in their order.
    if (this.#writingFeed) await this.#writingFeed;
    if (this.#ended) throw transactionEnded();
    const running = this.#watch(this.#query(this.#connection, statement));
    this.#firstSent.resolve();
    const result = await running;
    const isQuery = statement.text.trimStart().startsWith('SELECT');
    if (!isQuery && (result.count > 0 || result.command === 'SELECT')) this.#wrote = true;
    return result;
  }

  /** Writes what is left, by earlier parts and by this one, before a statement on the feed. */
  async #writeFeed(before: Promise<void> | undefined): Promise<void> {
    await before;
    await Promise.allSettled(this.#earlier.running);
    const taken = this.#earlier.feedWrites.splice(0);
    this.#taken.push(...taken);
    const writes = [...taken, ...this.feedWrites.splice(0)];
    if (writes.length === 0) return;
    this.#wrote = true;
    try {
      const { open, queryFor } = this.#parts;
      await writeFeed(open(this.#connection, queryFor(undefined)), writes);
    } catch (error) {
      this.#failed = true;
      // The error may be that of an earlier part.
      this.#needsOwnTransaction = true;
      throw error;
    }
  }

  async #savepoint<T>(tx: Transaction, work: () => Promise<T>): Promise<T> {
    const failed = this.#failed;
    const taken = this.#taken.length;
    const feedWrites = [...this.feedWrites];
    try {
      return await tx.savepoint(work);
    } catch (error) {
      this.#failed = failed;
      this.#earlier.feedWrites.unshift(...this.#taken.splice(taken));
      this.feedWrites = feedWrites;
      throw error;
    }
  }

  /** Notices when a statement fails: PostgreSQL then rejects all others until a rollback. */
  #watch<T>(statement: Promise<T>): Promise<T> {
    return this.#keep(
      statement.catch((error) => {
        this.#failed = true;
        if (needsOwnTransaction(error)) this.#needsOwnTransaction = true;
        throw error;
      }),
    );
  }

  #keep<T>(running: Promise<T>): Promise<T> {
    this.#running.add(running);
    const onSettled = () => void this.#running.delete(running);
    running.then(onSettled, onSettled);
    return running;
  }
}

function transactionEnded(): Error {
  return new Error('The transaction of this statement has ended.');
}
