import type { Database } from './database.ts';
import { dialectOf, sqlitePath } from './database-url.ts';
import { createSqliteFile } from './sqlite/new-sqlite-file.ts';

/**
 * Creates the SQLite file of a URL if it does not exist, completely or not at all; see `createSqliteFile`. Does
 * nothing for PostgreSQL, whose databases are created with its own tools.
 */
export async function createDatabase(
  url: string,
  build: (database: Database) => Promise<void>,
): Promise<boolean> {
  return dialectOf(url) === 'sqlite' && createSqliteFile(sqlitePath(url), build);
}
