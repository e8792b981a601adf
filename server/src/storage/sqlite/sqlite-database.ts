import { accessSync, closeSync, constants, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Database, DatabaseOptions } from '../database.ts';
import { SqliteConnection } from './sqlite-connection.ts';
import { translateSqliteError } from './sqlite-errors.ts';
import { existingFile, keepToOwner, refuseEmptyFile } from './sqlite-file.ts';
import { migrateSqlite } from './sqlite-migrations.ts';
import { SqliteWriter } from './sqlite-writer.ts';

const busyTimeoutMilliseconds = 5_000;
/** The default of the maximum size of a connection's cache. The operating system caches the rest of the file. */
const defaultCacheKibibytes = 8_192;

export interface SqliteDatabase extends Database {
  /** The same database for work that no one waits for. Its transactions let others go first, for a short time. */
  background(): Database;
}

/**
 * An SQLite file in WAL mode. Writes use one connection and share their commits (`SqliteWriter`); reads use another
 * and never wait for writes. Statements run in the calling thread: work that may take longer than a few milliseconds
 * belongs in another thread.
 */
export function openSqlite(path: string, options: DatabaseOptions): SqliteDatabase {
  prepareFile(path, options);
  const onStatement = options.onStatement ?? (() => {});
  const writer = options.readOnly ? undefined : new SqliteWriter(connect(path, options, onStatement));
  const reader = options.exclusive
    ? writer!.connection
    : connect(path, { ...options, readOnly: true }, onStatement);
  // Changes with every commit of another connection, in this or another process.
  const dataVersion = reader.database.prepare('PRAGMA data_version');
  dataVersion.setReturnArrays(true);
  const signals = () => (dataVersion.get() as unknown as [number])[0];

  const database: Database = {
    dialect: 'sqlite',
    all: async (statement) => reader.all(statement),
    get: async (statement) => reader.get(statement),
    run: (statement) => need(writer).transaction((transaction) => transaction.run(statement)),
    transaction: (work, facts) => need(writer).transaction(work, facts?.requestId),
    forCaller: ({ requestId }) => (requestId ? reader.queries(requestId) : database),
    migrate: async (migrations, report = () => {}) =>
      migrateSqlite(need(writer).connection, migrations, report),
    signals,
    receivedSignals: signals,
    metrics: () => writer?.metrics() ?? [],
    close: async () => {
      // The last connection to close writes the journal into the file, so it must be one that can write.
      if (reader !== writer?.connection) reader.close();
      await writer?.close();
    },
  };
  return {
    ...database,
    background: () => ({
      ...database,
      run: (statement) => need(writer).backgroundTransaction((transaction) => transaction.run(statement)),
      transaction: (work, facts) => need(writer).backgroundTransaction(work, facts?.requestId),
    }),
  };

  function need(present: SqliteWriter | undefined): SqliteWriter {
    if (!present) throw new Error('This database was opened read-only.');
    return present;
  }
}

/**
 * The file holds personal data: only its owner may read it from the first byte, whatever the umask and the folder
 * allow.
 */
function prepareFile(path: string, { readOnly = false }: DatabaseOptions): void {
  refuseEmptyFile(path);
  if (readOnly) return;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  // SQLite would only say that it cannot open the database. It creates files next to it.
  accessSync(dirname(path), constants.W_OK | constants.X_OK);
  if (existsSync(path)) accessSync(path, constants.R_OK | constants.W_OK);
  if (existsSync(path)) keepToOwner(path);
  else closeSync(openSync(path, 'a', 0o600));
}

function connect(
  path: string,
  { readOnly = false, exclusive = false, cacheKibibytes = defaultCacheKibibytes, watch }: DatabaseOptions,
  onStatement: (text: string) => void,
): SqliteConnection {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(exclusive ? existingFile(path) : path, {
      readOnly,
      timeout: busyTimeoutMilliseconds,
    });
    const connection = new SqliteConnection(database, onStatement, watch);
    // Set before the first access, so that WAL mode works without shared memory and the lock is held until close.
    if (exclusive) database.exec('PRAGMA locking_mode = EXCLUSIVE');
    if (!readOnly) database.exec('PRAGMA journal_mode = WAL; PRAGMA journal_size_limit = 67108864');
    // Fewer, larger checkpoints: pages that are written repeatedly go into the file once (32 MiB of 4 KiB pages).
    if (!readOnly) database.exec('PRAGMA wal_autocheckpoint = 8192');
    // With NORMAL, a power failure loses commits that were already confirmed (measured); with FULL, none.
    database.exec(`PRAGMA synchronous = ${exclusive ? 'OFF' : 'FULL'}`);
    database.exec('PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY');
    // Deleted data is overwritten in the file, so that no email address can be recovered from it.
    database.exec('PRAGMA secure_delete = ON');
    database.exec(`PRAGMA cache_size = -${cacheKibibytes}`);
    const { synchronous } = database.prepare('PRAGMA synchronous').get() as { synchronous: number };
    if (synchronous !== (exclusive ? 0 : 2))
      throw new Error('SQLite did not accept PRAGMA synchronous = FULL.');
    return connection;
  } catch (error) {
    database?.close();
    throw translateSqliteError(error);
  }
}
