import postgres from 'postgres';
import sql, { join, raw, type Sql } from 'sql-template-tag';
import type { Database, DatabaseOptions, Migration, Queries, Transaction, Value } from './database.ts';
import { StoreUnavailable } from './errors.ts';
import { pendingMigrations } from './migrations.ts';
import { isWorthRetrying, translatePostgresError } from './postgres-errors.ts';
import { Slots } from './slots.ts';

export interface PostgresOptions {
  readonly poolSize?: number;
  /** How long a request waits for its turn at the pool. */
  readonly poolWaitMilliseconds?: number;
  /** After this the server ends a statement, and the caller is told that the store is unavailable. */
  readonly statementTimeoutMilliseconds?: number;
  /** Holds a connection open that hears the signals of other processes. */
  readonly listen?: boolean;
}

const defaults = {
  poolSize: 10,
  poolWaitMilliseconds: 2_000,
  statementTimeoutMilliseconds: 8_000,
  listen: false,
};
const signalChannel = 'gatehouse';
const listenRetryMilliseconds = 1_000;
const transactionAttempts = 5;
const pipelinedReadsPerConnection = 16;
const maximumParameters = 65_000;
/** Longer statements come in many lengths; keeping each prepared would fill the server's memory. */
const maximumPreparedParameters = 100;
const migrationLock = 7_248_301_557;

/** A PostgreSQL server. Statements are prepared once a connection and pipelined. */
export function openPostgres(url: string, options: DatabaseOptions & PostgresOptions): Database {
  const settings = { ...defaults, ...withoutUndefined(options) };
  const onStatement = options.onStatement ?? (() => {});
  const client = connect(url, settings);
  // Reads share connections by pipelining; a transaction has one to itself. Each has slots of its own, so that
  // neither starves the other.
  const transactionSlots = new Slots(settings.poolSize - 1, settings.poolWaitMilliseconds);
  const readSlots = new Slots(settings.poolSize * pipelinedReadsPerConnection, settings.poolWaitMilliseconds);
  const signals = countSignals(client, settings.listen);
  const deadline = settings.statementTimeoutMilliseconds + 1_000;

  const query = async (runner: Runner, statement: Sql) => {
    const text = statement.text;
    onStatement(text);
    try {
      return await runner.unsafe(text, statement.values as never[], {
        prepare: statement.values.length <= maximumPreparedParameters,
      });
    } catch (error) {
      throw runner === client ? translatePostgresError(error) : error;
    }
  };
  const read = (statement: Sql) =>
    withDeadline(
      readSlots.use(() => query(client, statement)),
      deadline,
    );

  return {
    dialect: 'postgres',
    all: async (statement) => (await read(statement)) as never,
    get: async (statement) => (await read(statement))[0] as never,
    run: async (statement) => (await read(statement)).count,
    transaction: (work) =>
      withDeadline(
        transactionSlots.use(() => runTransaction(client, query, work)),
        deadline,
      ),
    migrate: (migrations) => migratePostgres(client, migrations),
    signals,
    close: () => client.end({ timeout: 5 }),
  };
}

type Client = postgres.Sql;
type Runner = Client | postgres.TransactionSql;
type Query = (runner: Runner, statement: Sql) => Promise<postgres.RowList<postgres.Row[]>>;

async function runTransaction<T>(
  client: Client,
  query: Query,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return (await client.begin((runner) => work(transactionOn(runner, query)))) as T;
    } catch (error) {
      if (attempt < transactionAttempts && isWorthRetrying(error)) continue;
      throw translatePostgresError(error);
    }
  }
}

function transactionOn(runner: postgres.TransactionSql, query: Query): Transaction {
  const onError = (error: unknown) => {
    // A conflict between transactions has to reach the loop that runs the whole work again.
    throw isWorthRetrying(error) ? error : translatePostgresError(error);
  };
  const run = (statement: Sql) => query(runner, statement).catch(onError) as ReturnType<Query>;
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
      await runner.unsafe(`NOTIFY ${signalChannel}`);
    },
    attempt: async (work) => {
      await runner.unsafe('SAVEPOINT attempt');
      try {
        const result = await work();
        await runner.unsafe('RELEASE SAVEPOINT attempt');
        return result;
      } catch (error) {
        await runner.unsafe('ROLLBACK TO SAVEPOINT attempt');
        throw error;
      }
    },
    tryLock: async (name) => {
      const [row] = await runner.unsafe(
        'SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS locked',
        [name],
        { prepare: true },
      );
      return row!.locked as boolean;
    },
  };
}

/** Counts signals, and every time the connection that hears them was made anew: some may have been missed. */
function countSignals(client: Client, listen: boolean): () => number {
  let count = 0;
  const increase = () => {
    count += 1;
  };
  // A program that does not listen keeps nothing in memory for longer than it takes to ask.
  if (!listen) return () => ++count;
  const attempt = () => {
    client.listen(signalChannel, increase, increase).catch(() => {
      setTimeout(attempt, listenRetryMilliseconds).unref();
    });
  };
  attempt();
  return () => count;
}

/** One statement with many rows. It names no function of a set: over shards that would take a two-phase commit. */
function insertStatement(
  table: string,
  columns: readonly string[],
  rows: readonly Value[][],
  ending = '',
): Sql {
  const values = join(rows.map((row) => sql`(${join(row)})`));
  return sql`INSERT INTO ${raw(table)} (${raw(columns.join(', '))}) VALUES ${values} ${raw(ending)}`;
}

/** A request is answered in time even when the server, or the way to it, has gone silent. */
function withDeadline<T>(work: Promise<T>, milliseconds: number): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new StoreUnavailable(new Error(`PostgreSQL did not answer within ${milliseconds} ms.`))),
      milliseconds,
    );
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

function connect(url: string, settings: Required<PostgresOptions>): Client {
  const text = (oid: number) => ({
    to: oid,
    from: [oid],
    serialize: String,
    parse: (value: string) => value,
  });
  return postgres(url, {
    max: settings.poolSize,
    connect_timeout: Math.ceil(settings.poolWaitMilliseconds / 1_000),
    backoff: (attempt: number) => Math.min(0.1 * 2 ** attempt, 1),
    // After a failover an address may lead to a server that only reads.
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
      // 1114/1184: no Date objects on the way; 114/3802: JSON stays text, the stores read it alike.
      timestamptz: { to: 1184, from: [1184], serialize: String, parse: toTimestamp },
      json: text(114),
      jsonb: text(3802),
    },
  });
}

/** `2026-01-31 09:30:00.12+00` → `2026-01-31T09:30:00.120Z`. */
export function toTimestamp(value: string): string {
  const zone = value.lastIndexOf('+');
  const fraction = value.slice(20, zone);
  return `${value.slice(0, 10)}T${value.slice(11, 19)}.${fraction.padEnd(3, '0')}Z`;
}

async function migratePostgres(client: Client, migrations: readonly Migration[]): Promise<string[]> {
  try {
    return await client.begin(async (runner) => {
      await runner`SELECT pg_advisory_xact_lock(${migrationLock})`;
      await runner`SET LOCAL statement_timeout = 0`;
      await runner`CREATE TABLE IF NOT EXISTS migrations (
        name text PRIMARY KEY, hash text NOT NULL, applied_at timestamptz(3) NOT NULL DEFAULT now())`;
      const applied = await runner<{ name: string; hash: string }[]>`SELECT name, hash FROM migrations`;
      const pending = pendingMigrations(migrations, applied);
      for (const { name, hash, script } of pending) {
        await runner.unsafe(script).simple();
        await runner`INSERT INTO migrations (name, hash) VALUES (${name}, ${hash})`;
      }
      return pending.map(({ name }) => name);
    });
  } catch (error) {
    throw translatePostgresError(error);
  }
}

function withoutUndefined<T extends object>(options: T): T {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as T;
}
