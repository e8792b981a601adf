import type { Database, DatabaseOptions } from './database.ts';
import { dialectOf, sqlitePath } from './database-url.ts';
import { openPostgres, type PostgresOptions } from './postgres.ts';
import { openSqlite } from './sqlite.ts';

/** Opens the store that a URL names. A process that serves opens its own kind alone and spares the other's memory. */
export function openDatabase(url: string, options: DatabaseOptions & PostgresOptions = {}): Database {
  return dialectOf(url) === 'postgres' ? openPostgres(url, options) : openSqlite(sqlitePath(url), options);
}
