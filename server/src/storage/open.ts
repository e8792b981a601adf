import type { Database, DatabaseOptions } from './database.ts';
import { dialectOf, sqlitePath } from './database-url.ts';
import { createSqliteFile } from './new-sqlite-file.ts';
import { openPostgres, type PostgresOptions } from './postgres.ts';
import { openSqlite } from './sqlite.ts';

/** Opens the store that a URL names. A process that serves opens its own kind alone and spares the other's memory. */
export function openDatabase(url: string, options: DatabaseOptions & PostgresOptions = {}): Database {
  return dialectOf(url) === 'postgres' ? openPostgres(url, options) : openSqlite(sqlitePath(url), options);
}

/**
 * Makes the SQLite file of a URL where there is none, whole or not at all; see `createSqliteFile`. For PostgreSQL it does
 * nothing: its databases are made with its own tools.
 */
export async function createDatabase(
  url: string,
  build: (database: Database) => Promise<void>,
): Promise<boolean> {
  return dialectOf(url) === 'sqlite' && createSqliteFile(sqlitePath(url), build);
}
