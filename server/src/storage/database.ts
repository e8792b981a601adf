import type { Metric } from '../base/metrics/metric.ts';
import type { Statement, Value } from './sql/statement.ts';
import type { StatementWatch } from './statement-watch.ts';

export type { Value } from './sql/statement.ts';

export type Dialect = 'sqlite' | 'postgres';

/**
 * Rows have the same types on both stores: times are ISO text, ids are text. A boolean is 0 or 1 on SQLite (see
 * `toBoolean`).
 */
export interface Queries {
  readonly dialect: Dialect;
  all<Row>(statement: Statement): Promise<Row[]>;
  get<Row>(statement: Statement): Promise<Row | undefined>;
  /** Returns the number of changed rows. */
  run(statement: Statement): Promise<number>;
}

export interface Transaction extends Queries {
  /**
   * Inserts rows, in batches where this is faster. `ending` follows the values, for example `ON CONFLICT (site_id,
   * email) DO NOTHING RETURNING id`. Returns the rows that the statement returns.
   */
  insert<Row>(
    table: string,
    columns: readonly string[],
    rows: readonly Value[][],
    ending?: string,
  ): Promise<Row[]>;
  /** Runs a part of the transaction that may fail on its own. When it throws, only its own changes are rolled back. */
  savepoint<T>(work: () => Promise<T>): Promise<T>;
  /** Takes a named lock until the transaction ends. Returns false immediately when another transaction has it. */
  tryLock(name: string): Promise<boolean>;
  /** Changes no data, but needs everything that a change needs, up to the commit. */
  checkWritable(): Promise<void>;
  /** On commit, notifies every process that data in their caches may have changed. */
  signal(): Promise<void>;
  /**
   * Has items written to the tables of the event feed (`feedTables`), when the work has done everything else. They are
   * there for every later statement that names one of these tables, and at the commit.
   */
  writeToFeed<Item>(items: readonly Item[], write: FeedWriter<Item>): Promise<void>;
}

/** Writes items, at least one, of one or more pieces of work. It locks the feeds of their sites until the commit. */
export type FeedWriter<Item> = (transaction: Transaction, items: readonly Item[]) => Promise<void>;

/** For whom statements run. */
export interface Caller {
  /** Whether someone waits for the result. */
  readonly isAwaited: () => boolean;
  /** The request that slow statements are logged with, if it is known. */
  readonly requestId?: string | undefined;
}

/** What a store may know of the work of a transaction, to run it quickly. */
export interface WorkFacts {
  /** The request that slow statements are logged with, if it is known. */
  readonly requestId?: string | undefined;
  /** The site, if the work is short and changes only few rows of this one site. */
  readonly shortOnSite?: string | undefined;
  /** Whether short work sends one statement and no more, apart from what it writes to the feed. */
  readonly sendsOneStatement?: boolean | undefined;
}

/**
 * The only interface between the program and its stores. All driver failures become one of the errors in `errors.ts`.
 */
export interface Database extends Queries {
  /** Commits durably when `work` resolves; rolls everything back when it throws. `work` may run more than once. */
  transaction<T>(work: (transaction: Transaction) => Promise<T>, facts?: WorkFacts): Promise<T>;
  /** Applies the pending migrations of these under a lock, and returns their names. Requests are served meanwhile. */
  migrate(migrations: readonly Migration[], report?: ReportProgress): Promise<readonly string[]>;
  /**
   * The same store for one caller. On PostgreSQL a statement that begins when no one waits for it any more fails with
   * `CallerHasLeft`; SQLite runs all of them.
   */
  forCaller(caller: Caller): Queries;
  /** Distributes the tables with Citus. Returns the names of those that were local. Only PostgreSQL has it. */
  distribute?(): Promise<readonly string[]>;
  /** A number that changes when any process commits a transaction that called `signal`. It may change more often. */
  signals(): number;
  /** As `signals`, but it stays the same while the store is lost and nothing is received. */
  receivedSignals(): number;
  /** What the connections of this thread have done, for monitoring. */
  metrics(): readonly Metric[];
  close(): Promise<void>;
}

export interface Migration {
  /** `0001-schema`. The names of later migrations sort after it. */
  readonly name: string;
  /** SHA-256 of the text of its file, in hexadecimal. */
  readonly hash: string;
  /** The oldest migration whose programs can still use the tables. By default the migration itself. */
  readonly usableFrom: string;
  /** Run one after the other. On SQLite there is one. */
  readonly steps: readonly MigrationStep[];
}

export type MigrationStep = TransactionStep | ConcurrentStep | BatchStep;

/** Statements that run in one transaction. */
export interface TransactionStep {
  readonly kind: 'transaction';
  readonly script: string;
}

/** One statement that builds or drops an index of PostgreSQL without blocking writes, outside a transaction. */
export interface ConcurrentStep {
  readonly kind: 'concurrently';
  readonly script: string;
  readonly index: string;
}

/** One statement that changes the rows of a table of PostgreSQL in many short transactions. */
export interface BatchStep {
  readonly kind: 'batches';
  /** Contains `:batch` where the condition for the rows of a batch belongs. */
  readonly script: string;
  readonly table: string;
  /** The columns of its primary key. */
  readonly key: readonly string[];
}

/** Receives sentences for people about the progress of long work. */
export type ReportProgress = (message: string) => void;

export interface DatabaseOptions {
  /** Opens an SQLite file read-only. Other connections may write to it. */
  readonly readOnly?: boolean;
  /**
   * Locks an SQLite file until it is closed. One connection reads and writes, and the caller is responsible for fsync.
   */
  readonly exclusive?: boolean;
  /** The maximum size of the cache of each connection to an SQLite file. */
  readonly cacheKibibytes?: number;
  /** Called with the text of every statement. The tests use it to prove that each statement names its site. */
  readonly onStatement?: (text: string) => void;
  /** Logs slow statements. */
  readonly watch?: StatementWatch | undefined;
}

export function toBoolean(value: boolean | number): boolean {
  return value === true || value === 1;
}
