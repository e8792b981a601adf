import postgres from 'postgres';
import sql, { join, raw, type Sql } from 'sql-template-tag';
import type { Database, DatabaseOptions, Queries, Transaction, Value } from '../database.ts';
import { StoreUnavailable } from '../errors.ts';
import { Semaphore } from '../semaphore.ts';
import type { Statement } from '../statement.ts';
import { type Connect, PostgresConnection, type Rows } from './postgres-connection.ts';
import { isWorthRetrying, translatePostgresError } from './postgres-errors.ts';
import { migratePostgres } from './postgres-migrations.ts';
import { PostgresPool } from './postgres-pool.ts';
import { notifyStatement, PostgresSignals } from './postgres-signals.ts';

export interface PostgresOptions {
  readonly poolSize?: number;
  /** How long a request waits for a connection of the pool. */
  readonly poolWaitMilliseconds?: number;
  /** After this time the server cancels a statement, and the caller receives `StoreUnavailable`. */
  readonly statementTimeoutMilliseconds?: number;
  /** Keeps a connection open that receives the signals of other processes. */
  readonly listen?: boolean;
}

const defaults = {
  poolSize: 10,
  poolWaitMilliseconds: 2_000,
  statementTimeoutMilliseconds: 8_000,
  listen: false,
};
const transactionAttempts = 5;
const pipelinedReadsPerConnection = 16;
const maximumParameters = 65_000;
/** Longer statements exist in many lengths; keeping all of them prepared would fill the server's memory. */
const maximumPreparedParameters = 100;

/** A PostgreSQL database. Statements are prepared once per connection and pipelined. */
export function openPostgres(url: string, options: DatabaseOptions & PostgresOptions): Database {
  const settings = { ...defaults, ...withoutUndefined(options) };
  const onStatement = options.onStatement ?? (() => {});
  const deadline = settings.statementTimeoutMilliseconds + 1_000;
  const connect: Connect = (events) => connectTo(url, settings, events);
  const pool = new PostgresPool(connect, {
    size: settings.poolSize,
    waitMilliseconds: settings.poolWaitMilliseconds,
    silenceMilliseconds: deadline,
  });
  // Single statements share connections by pipelining; a transaction has its own. They have separate limits, so that
  // neither can block the other.
  const transactionSlots = new Semaphore(settings.poolSize - 1, settings.poolWaitMilliseconds);
  const readSlots = new Semaphore(
    settings.poolSize * pipelinedReadsPerConnection,
    settings.poolWaitMilliseconds,
  );
  // Not of the pool: it has settings and a lock of its own.
  const openToMigrate = () => PostgresConnection.open(connect, deadline, { onLost: () => {} });
  const signals = settings.listen ? new PostgresSignals(connect) : undefined;
  let requested = 0;

  const query: Query = (connection, { text, values }) => {
    onStatement(text);
    return connection.query(text, values, values.length <= maximumPreparedParameters);
  };
  const read = ({ text, values }: Statement) =>
    withDeadline(deadline, () =>
      readSlots.use(() => pool.share(text, (connection) => query(connection, { text, values }))),
    ).catch((error) => {
      throw translatePostgresError(error);
    });

  return {
    dialect: 'postgres',
    all: async (statement) => (await read(statement)) as never,
    get: async (statement) => (await read(statement))[0] as never,
    run: async (statement) => (await read(statement)).count,
    transaction: async (work) => {
      let signalled = false;
      const observed = detectSignal(work, () => {
        signalled = true;
      });
      const result = await withDeadline(deadline, (isOver) =>
        transactionSlots.use(() => runTransaction(pool, query, observed, isOver)),
      );
      // The process that made the change must see it at the next request; its own notification may arrive later.
      if (signalled) signals?.raise();
      return result;
    },
    migrate: (migrations, report) => migratePostgres(openToMigrate, migrations, report),
    // A process that does not listen must not use cached values at all.
    signals: () => (signals ? signals.count() : ++requested),
    close: async () => {
      await Promise.all([pool.close(), signals?.close()]);
    },
  };
}

function detectSignal<T>(
  work: (tx: Transaction) => Promise<T>,
  onSignal: () => void,
): (tx: Transaction) => Promise<T> {
  return (tx) =>
    work({
      ...tx,
      signal: () => {
        onSignal();
        return tx.signal();
      },
    });
}

type Query = (connection: PostgresConnection, statement: Omit<Statement, 'sql'>) => Promise<Rows>;

async function runTransaction<T>(
  pool: PostgresPool,
  query: Query,
  work: (transaction: Transaction) => Promise<T>,
  isOver: () => boolean,
): Promise<T> {
  for (let savepoint = 1; ; savepoint += 1) {
    try {
      return await pool.lend((connection) => attemptTransaction(connection, query, work, isOver));
    } catch (error) {
      if (savepoint < transactionAttempts && isWorthRetrying(error) && !isOver()) continue;
      throw translatePostgresError(error);
    }
  }
}

async function attemptTransaction<T>(
  connection: PostgresConnection,
  query: Query,
  work: (transaction: Transaction) => Promise<T>,
  isOver: () => boolean,
): Promise<T> {
  let ended = false;
  const inside: Query = async (_, statement) => {
    if (ended) throw new Error('The transaction of this statement has ended.');
    return query(connection, statement);
  };
  await connection.query('BEGIN', []);
  try {
    const result = await work(transactionOn(connection, inside));
    // The caller has already received `StoreUnavailable`, so nothing may be committed.
    if (isOver()) throw new StoreUnavailable(new Error('The transaction took too long.'));
    ended = true;
    const { command } = await connection.query('COMMIT', []);
    // PostgreSQL answers ROLLBACK, without an error, when a statement failed and its error was ignored.
    if (command !== 'COMMIT')
      throw new Error('A statement of the transaction failed and its error was ignored.');
    return result;
  } catch (error) {
    ended = true;
    await connection.query('ROLLBACK', []).catch(() => connection.lose());
    throw error;
  }
}

function transactionOn(connection: PostgresConnection, query: Query): Transaction {
  const onError = (error: unknown) => {
    // A conflict between transactions must reach the loop that runs the whole work again.
    throw isWorthRetrying(error) ? error : translatePostgresError(error);
  };
  const run = (statement: Statement) => query(connection, statement).catch(onError);
  const control = (text: string, values: readonly string[] = []) =>
    connection.query(text, values, values.length > 0).catch(onError);
  const queries: Queries = {
    dialect: 'postgres',
    all: async (statement) => (await run(statement)) as never,
    get: async (statement) => (await run(statement))[0] as never,
    run: async (statement) => (await run(statement)).count,
  };
  return {
    ...queries,
    insert: async (table, columns, rows, ending) => {
      const returned: unknown[] = [];
      const rowsAtOnce = Math.floor(maximumParameters / columns.length);
      for (let start = 0; start < rows.length; start += rowsAtOnce) {
        const part = rows.slice(start, start + rowsAtOnce);
        returned.push(...(await run(insertStatement(table, columns, part, ending))));
      }
      return returned as never;
    },
    signal: async () => {
      await control(notifyStatement);
    },
    savepoint: async (work) => {
      await control('SAVEPOINT attempt');
      try {
        const result = await work();
        await control('RELEASE SAVEPOINT attempt');
        return result;
      } catch (error) {
        await control('ROLLBACK TO SAVEPOINT attempt');
        throw error;
      }
    },
    tryLock: async (name) => {
      const statement = 'SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS locked';
      const [row] = await control(statement, [name]);
      return row!.locked as boolean;
    },
  };
}

/**
 * One statement with many rows. It does not use set-returning functions: across shards they would need a two-phase
 * commit.
 */
function insertStatement(
  table: string,
  columns: readonly string[],
  rows: readonly Value[][],
  ending = '',
): Sql {
  const values = join(rows.map((row) => sql`(${join(row)})`));
  return sql`INSERT INTO ${raw(table)} (${raw(columns.join(', '))}) VALUES ${values} ${raw(ending)}`;
}

/**
 * Fails the request in time even when the server or the network is silent. `work` can check whether its time is over.
 */
function withDeadline<T>(milliseconds: number, work: (isOver: () => boolean) => Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    let over = false;
    const timer = setTimeout(() => {
      over = true;
      reject(new StoreUnavailable(new Error(`PostgreSQL did not answer within ${milliseconds} ms.`)));
    }, milliseconds);
    work(() => over)
      .then(resolve, reject)
      .finally(() => clearTimeout(timer));
  });
}

function connectTo(
  url: string,
  settings: Required<PostgresOptions>,
  events: Parameters<Connect>[0],
): postgres.Sql {
  const text = (oid: number) => ({
    to: oid,
    from: [oid],
    serialize: String,
    parse: (value: string) => value,
  });
  return postgres(url, {
    ...events,
    max: 1,
    connect_timeout: Math.ceil(settings.poolWaitMilliseconds / 1_000),
    // One client is one connection (see PostgresConnection): the driver must neither reopen nor close it.
    backoff: () => never,
    max_lifetime: null,
    fetch_types: false,
    // After a failover an address may lead to a read-only server.
    target_session_attrs: 'read-write',
    onnotice: () => {},
    connection: {
      application_name: 'gatehouse',
      timezone: 'UTC',
      statement_timeout: settings.statementTimeoutMilliseconds,
      lock_timeout: Math.ceil(settings.statementTimeoutMilliseconds / 2),
      idle_in_transaction_session_timeout: settings.statementTimeoutMilliseconds * 2,
    },
    types: {
      bigint: { to: 20, from: [20], serialize: String, parse: Number },
      // 1114/1184: timestamps without Date objects; 114/3802: JSON stays text, as on SQLite.
      timestamptz: { to: 1184, from: [1184], serialize: String, parse: toTimestamp },
      json: text(114),
      jsonb: text(3802),
    },
  });
}

/** The maximum delay of a timer, in seconds. */
const never = Math.floor((2 ** 31 - 1) / 1_000);

/** `2026-01-31 09:30:00.12+00` → `2026-01-31T09:30:00.120Z`. */
export function toTimestamp(value: string): string {
  // Nearly all times have three digits, which need no padding.
  if (value.length === 26 && value.endsWith('+00')) return `${value.slice(0, 10)}T${value.slice(11, 23)}Z`;
  const zone = value.lastIndexOf('+');
  const fraction = value.slice(20, zone);
  return `${value.slice(0, 10)}T${value.slice(11, 19)}.${fraction.padEnd(3, '0')}Z`;
}

function withoutUndefined<T extends object>(options: T): T {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as T;
}
