import type { Caller, Database, DatabaseOptions, Queries, Transaction } from '../database.ts';
import { CallerHasLeft, StoreUnavailable } from '../errors.ts';
import { Semaphore } from '../semaphore.ts';
import type { Statement } from '../sql/statement.ts';
import { distributeDatabase } from './citus/distribution.ts';
import type { PostgresConnection, Query } from './connections/postgres-connection.ts';
import { type HostState, PostgresHosts } from './connections/postgres-hosts.ts';
import { PostgresPool } from './connections/postgres-pool.ts';
import { timeLimitsFor } from './connections/postgres-session.ts';
import { parsePostgresUrl } from './connections/postgres-url.ts';
import { insertStatements, maximumPreparedParameters } from './insert-statements.ts';
import { migratePostgres } from './migrations/postgres-migrations.ts';
import { isWorthRetrying, rejectUnconfirmed, translatePostgresError } from './postgres-errors.ts';
import { PostgresMetrics } from './postgres-metrics.ts';
import { notifyStatement, PostgresSignals, snapshotStatement } from './postgres-signals.ts';
import type { QueryResult } from './row-objects.ts';
import { SharedCommits } from './shared-commits/shared-commits.ts';
import type { RunningWork } from './shared-commits/shared-transaction.ts';

export interface PostgresOptions {
  readonly poolSize?: number;
  /** How long a request waits for a connection of the pool. */
  readonly poolWaitMilliseconds?: number;
  /** After this time the server cancels a statement, and the caller receives `StoreUnavailable`. */
  readonly statementTimeoutMilliseconds?: number;
  /** Keeps a connection open that receives the signals of other processes. */
  readonly listen?: boolean;
  /** The same database without a pooler, for migrations and signals. */
  readonly directUrl?: string | undefined;
  /** Called with problems that someone should know. */
  readonly onWarning?: (message: string) => void;
}

const defaults = {
  poolSize: 10,
  poolWaitMilliseconds: 2_000,
  statementTimeoutMilliseconds: 8_000,
  listen: false,
};
const inspectionMilliseconds = 3_000;
const transactionAttempts = 5;
const pipelinedReadsPerConnection = 16;

/** A PostgreSQL database. Statements, except searches, are prepared once per connection and pipelined. */
export function openPostgres(url: string, options: DatabaseOptions & PostgresOptions): Database {
  const settings = { ...defaults, ...withoutUndefined(options) };
  const { poolSize, poolWaitMilliseconds: waitMilliseconds } = settings;
  const { watch, onStatement = () => {} } = options;
  const deadline = settings.statementTimeoutMilliseconds + 1_000;
  const { hosts, direct, prepares } = hostsOf(url, options.directUrl, settings);
  const metrics = new PostgresMetrics();
  const { onWaited } = metrics;
  const pool = new PostgresPool((...of) => hosts.open(...of), {
    size: poolSize,
    waitMilliseconds,
    silenceMilliseconds: deadline,
    pipelines: prepares,
    onWaited,
    onResult: watch && ((...statement) => watch.ended(...statement)),
  });
  // Single statements share connections by pipelining; a transaction has its own. They have separate limits, so that
  // neither can block the other.
  const transactions = new Semaphore(poolSize - 1, waitMilliseconds, onWaited);
  const reads = createReadSemaphores(settings, onWaited);
  const keepsSessions = prepares || direct !== hosts;
  const listening = keepsSessions ? direct : undefined;
  // Not of the pool: migrations have settings and a lock of their own.
  const migrating = { keepsSessions, open: () => direct.open(deadline, { onLost: () => {} }) };
  const signals = settings.listen ? openSignals(pool, listening, options.onWarning) : undefined;
  let requested = 0;

  const queryFor = queries(onStatement);
  const read = reader({ pool, readSemaphores: reads, queryFor, deadline });
  const runAlone = <T>({ run, isOver, requestId }: RunningWork<T>) =>
    transactions.use(() => runTransaction(pool, queryFor(requestId), run, isOver));
  const sharedCommits = new SharedCommits({
    queryFor,
    open: transactionOn,
    waitMilliseconds,
    withConnection: (work) => transactions.use(() => pool.withConnection(work)),
    runAlone,
  });

  return {
    ...queriesWith(read),
    forCaller: (caller) => queriesWith((statement) => read(statement, caller)),
    transaction: (work, { shortOnSite, ...facts } = {}) =>
      raisingSignals(signals, work, (run) =>
        withDeadline(deadline, (isOver) => {
          const running = { ...facts, run, isOver };
          return shortOnSite === undefined
            ? runAlone(running)
            : sharedCommits.transaction(shortOnSite, running);
        }),
      ),
    migrate: (migrations, report) => migratePostgres(migrating, migrations, report),
    distribute: () => distributeDatabase(migrating.open),
    // A process that does not listen must not use cached values at all.
    signals: () => (signals ? signals.count() : ++requested),
    receivedSignals: () => (signals ? signals.receivedCount() : ++requested),
    metrics: () => metrics.collect(poolSize, pool.state(), transactions.waiting + reads.waiting()),
    close: async () => void (await Promise.all([pool.close(), signals?.close()])),
  };
}

type QueryFor = (requestId: Caller['requestId']) => Query;

/** @param onStatement called with the text of every statement */
function queries(onStatement: (text: string) => void): QueryFor {
  return (requestId) =>
    (connection, { text, values, isSearch, isPrepared }) => {
      onStatement(text);
      const prepare = isPrepared ?? (!isSearch && values.length <= maximumPreparedParameters);
      return connection.query(text, values, prepare, requestId);
    };
}

type Read = (statement: Statement, caller?: Caller) => Promise<QueryResult>;

const anyCaller: Caller = { isAwaited: () => true };

interface ReaderParts {
  readonly pool: PostgresPool;
  readonly readSemaphores: ReadSemaphores;
  readonly queryFor: QueryFor;
  /** In milliseconds. */
  readonly deadline: number;
}

function reader({ pool, readSemaphores, queryFor, deadline }: ReaderParts): Read {
  return (statement, { isAwaited, requestId } = anyCaller) =>
    withDeadline(deadline, () =>
      readSemaphores.of(statement).use(() => {
        if (!isAwaited()) throw new CallerHasLeft();
        return pool.share(statement, (connection) => queryFor(requestId)(connection, statement));
      }),
    ).catch((error) => {
      throw translatePostgresError(error);
    });
}

interface ReadSemaphores {
  of(statement: Statement): Semaphore;
  waiting(): number;
}

/** Searches run on some of the connections, so that others are left for quick statements. */
function createReadSemaphores(
  { poolSize, poolWaitMilliseconds, statementTimeoutMilliseconds }: typeof defaults,
  onWaited: (milliseconds: number) => void,
): ReadSemaphores {
  const quick = new Semaphore(poolSize * pipelinedReadsPerConnection, poolWaitMilliseconds, onWaited);
  const searches = new Semaphore(
    Math.max(1, Math.floor(poolSize / 2)),
    statementTimeoutMilliseconds,
    onWaited,
  );
  return {
    of: ({ isSearch }) => (isSearch ? searches : quick),
    waiting: () => quick.waiting + searches.waiting,
  };
}

/** The hosts of a database, through a pooler if there is one, and without it. */
function hostsOf(
  url: string,
  directUrl: string | undefined,
  { poolWaitMilliseconds, statementTimeoutMilliseconds }: typeof defaults,
): { hosts: PostgresHosts; direct: PostgresHosts; prepares: boolean } {
  const limits = timeLimitsFor(statementTimeoutMilliseconds);
  const parse = (text: string) => {
    const parsed = parsePostgresUrl(text);
    if (parsed) return parsed;
    throw new Error('This is not the URL of a PostgreSQL database.');
  };
  const address = parse(url);
  const hosts = new PostgresHosts(address, limits, poolWaitMilliseconds);
  const direct =
    directUrl === undefined ? hosts : new PostgresHosts(parse(directUrl), limits, poolWaitMilliseconds);
  return { hosts, direct, prepares: address.prepares };
}

/** What each host in a URL is for a service: the primary, a standby, or why it cannot be used. */
export function inspectHosts(url: string): Promise<readonly HostState[]> {
  return hostsOf(url, undefined, defaults).hosts.inspect(inspectionMilliseconds);
}

/**
 * @param listening where a connection can listen; undefined behind a pooler that would give it to another client after
 * each transaction
 */
function openSignals(
  pool: PostgresPool,
  listening: PostgresHosts | undefined,
  onWarning: (message: string) => void = () => {},
): PostgresSignals {
  const send = (text: string) => pool.share({ text, values: [] }, (connection) => connection.query(text, []));
  return new PostgresSignals({
    open: listening && ((...of) => listening.open(...of)),
    send: async () => void (await send(notifyStatement)),
    readSnapshot: async () => (await send(snapshotStatement)).rows[0]!.snapshot as string,
    onWarning,
  });
}

/** The process that made a change must see it at the next request; its own notification may arrive later. */
async function raisingSignals<Result, T>(
  signals: PostgresSignals | undefined,
  work: (tx: Transaction) => Promise<Result>,
  run: (work: (tx: Transaction) => Promise<Result>) => Promise<T>,
): Promise<T> {
  let signaled = false;
  const result = await run((tx) =>
    work({
      ...tx,
      signal: () => {
        signaled = true;
        return tx.signal();
      },
    }),
  );
  if (signaled) signals?.raise();
  return result;
}

function queriesWith(run: (statement: Statement) => Promise<QueryResult>): Queries {
  return {
    dialect: 'postgres',
    all: async (statement) => (await run(statement)).rows as never,
    get: async (statement) => (await run(statement)).rows[0] as never,
    run: async (statement) => (await run(statement)).count,
  };
}

async function runTransaction<T>(
  pool: PostgresPool,
  query: Query,
  work: (transaction: Transaction) => Promise<T>,
  isOver: () => boolean,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await pool.withConnection((connection) => attemptTransaction(connection, query, work, isOver));
    } catch (error) {
      if (attempt < transactionAttempts && isWorthRetrying(error) && !isOver()) continue;
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
    const { command } = await connection.query('COMMIT', []).catch(rejectUnconfirmed);
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
  const run = (statement: Omit<Statement, 'sql'>) => query(connection, statement).catch(onError);
  const control = (text: string, values: readonly string[] = []) =>
    connection.query(text, values, values.length > 0).catch(onError);
  const transaction: Transaction = {
    ...queriesWith(run),
    insert: async (table, columns, rows, ending) => {
      const results = await Promise.all(insertStatements(table, columns, rows, ending).map(run));
      return results.flatMap(({ rows }) => rows) as never;
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
      const { rows } = await control(statement, [name]);
      return rows[0]!.locked as boolean;
    },
    // A lock on a row is written to the log of the database, for which the commit waits as for every change.
    checkWritable: async () => {
      await control('SELECT 1 FROM migrations LIMIT 1 FOR KEY SHARE');
    },
    writeToFeed: (items, write) => write(transaction, items),
  };
  return transaction;
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

function withoutUndefined<T extends object>(options: T): T {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as T;
}
