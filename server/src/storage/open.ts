import type { Database, DatabaseOptions } from './database.ts';
import { dialectOf, sqlitePath } from './database-url.ts';
import { openPostgres, type PostgresOptions } from './postgres/postgres-database.ts';
import { openSqlite } from './sqlite/sqlite-database.ts';

/** Opens the store of a URL. A server process does not use it: it imports only its own driver, which saves memory. */
export function openDatabase(url: string, options: DatabaseOptions & PostgresOptions = {}): Database {
  return dialectOf(url) === 'postgres' ? openPostgres(url, options) : openSqlite(sqlitePath(url), options);
}
