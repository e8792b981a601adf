import type { Caller, Transaction } from '../../database.ts';
import { StoreUnavailable } from '../../errors.ts';
import type { PostgresConnection, Query } from '../connections/postgres-connection.ts';
import { needsOwnTransaction } from '../postgres-errors.ts';
import type { QueryResult } from '../row-objects.ts';

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

/** The part of a shared transaction that belongs to one piece of work, and what has become of it. */
export class TransactionPart {
  readonly transaction: Transaction;
  readonly #connection: PostgresConnection;
  readonly #query: Query;
  readonly #slowAt: number;
  readonly #maxStatements: number;
  readonly #firstSent = Promise.withResolvers<void>();
  readonly #running = new Set<Promise<unknown>>();
  #statements = 0;
  #ended = false;
  #failed = false;
  #wrote = false;
  #needsOwnTransaction = false;

  /** @param rest what earlier work of the transaction has left for its end */
  constructor(
    connection: PostgresConnection,
    { open, queryFor }: TransactionParts,
    requestId: Caller['requestId'],
    rest: readonly unknown[],
    { slowMilliseconds, maxStatements }: PartLimits,
  ) {
    this.#connection = connection;
    this.#query = queryFor(requestId);
    this.#slowAt = performance.now() + slowMilliseconds;
    this.#maxStatements = maxStatements;
    const send: Query = (_, statement) => this.#send(statement);
    const tx = open(connection, send);
    this.transaction = {
      ...tx,
      signal: () => this.#watch(tx.signal()),
      tryLock: (name) => this.#watch(tx.tryLock(name)),
      savepoint: (work) => this.#keep(this.#savepoint(tx, work)),
      requireWritten: <Rest>(matters: (rest: Rest) => boolean) => {
        if (!(rest as readonly Rest[]).some(matters)) return;
        this.#needsOwnTransaction = true;
        throw new Error('What this work depends on is written at the end of the transaction.');
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

  /** Rejects further statements, and waits for those that the work has left running. */
  async end(): Promise<void> {
    this.#ended = true;
    this.#firstSent.resolve();
    while (this.#running.size > 0) await Promise.allSettled(this.#running);
  }

  async #send(statement: Parameters<Query>[1]): Promise<QueryResult> {
    if (this.#ended) throw new Error('The transaction of this statement has ended.');
    if (performance.now() > this.#slowAt) {
      this.#needsOwnTransaction = true;
      throw new StoreUnavailable(new Error('The work took too long for a shared transaction.'));
    }
    this.#statements += 1;
    if (this.#statements > this.#maxStatements) {
      throw new Error(`This work sends more than ${this.#maxStatements} statement.`);
    }
    const running = this.#watch(this.#query(this.#connection, statement));
    this.#firstSent.resolve();
    const result = await running;
    const isQuery = statement.text.trimStart().startsWith('SELECT');
    if (!isQuery && (result.count > 0 || result.command === 'SELECT')) this.#wrote = true;
    return result;
  }

  async #savepoint<T>(tx: Transaction, work: () => Promise<T>): Promise<T> {
    const failed = this.#failed;
    try {
      return await tx.savepoint(work);
    } catch (error) {
      this.#failed = failed;
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
