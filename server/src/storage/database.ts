import type { Sql } from 'sql-template-tag';

export type Dialect = 'sqlite' | 'postgres';

/** Rows as both stores give them: times as ISO text, ids as text; a boolean is 0 or 1 on SQLite (see `toBoolean`). */
export interface Queries {
  readonly dialect: Dialect;
  all<Row>(statement: Sql): Promise<Row[]>;
  get<Row>(statement: Sql): Promise<Row | undefined>;
  /** Gives the number of rows changed. */
  run(statement: Sql): Promise<number>;
}

export type Value = string | number | boolean | null;

export interface Transaction extends Queries {
  /**
   * Inserts rows, many at a time where the store gains by it. `ending` follows the values, for example
   * `ON CONFLICT (site_id, email) DO NOTHING RETURNING id`; gives what it returns.
   */
  insert<Row>(
    table: string,
    columns: readonly string[],
    rows: readonly Value[][],
    ending?: string,
  ): Promise<Row[]>;
  /** Runs a part of the transaction that may fail alone: when it throws, only its own changes are undone. */
  attempt<T>(work: () => Promise<T>): Promise<T>;
  /** Takes a lock of that name until the transaction ends; false at once when another transaction has it. */
  tryLock(name: string): Promise<boolean>;
  /** Tells every process, at the commit, that something it may have kept in memory has changed. */
  signal(): Promise<void>;
}

/**
 * The one seam between the program and its stores. Every failure of a driver arrives as one of the errors in
 * `errors.ts`.
 */
export interface Database extends Queries {
  /** Commits when `work` resolves, durably; undoes everything when it throws. `work` may run more than once. */
  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>;
  /** Runs statements that belong together as one script, for migrations. */
  migrate(migrations: readonly Migration[]): Promise<readonly string[]>;
  /** A number that changes, at the latest, when a transaction that called `signal` is committed, by any process. */
  signals(): number;
  close(): Promise<void>;
}

export interface Migration {
  readonly name: string;
  readonly script: string;
  /** SHA-256 of the script, hexadecimal. */
  readonly hash: string;
}

export interface DatabaseOptions {
  /** Opens an SQLite file for reading alone. Other connections may write to it. */
  readonly readOnly?: boolean;
  /** Locks an SQLite file until it is closed, with one connection that reads and writes, and leaves fsync to the caller. */
  readonly exclusive?: boolean;
  /** Sees the text of every statement. The suite reads them to prove that each names its site. */
  readonly onStatement?: (text: string) => void;
}

export function toBoolean(value: boolean | number): boolean {
  return value === true || value === 1;
}
