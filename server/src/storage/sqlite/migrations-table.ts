import type { DatabaseSync } from 'node:sqlite';

/** Creates the table of migrations, or adds what that of an earlier version lacks. */
export function createMigrationsTable(database: DatabaseSync): void {
  database.exec(
    `CREATE TABLE IF NOT EXISTS migrations (
       name TEXT PRIMARY KEY, hash TEXT NOT NULL, applied_at TEXT NOT NULL, usable_from TEXT) STRICT`,
  );
  const columns = database.prepare("SELECT name FROM pragma_table_info('migrations')").all();
  if (columns.some(({ name }) => name === 'usable_from')) return;
  database.exec('ALTER TABLE migrations ADD COLUMN usable_from TEXT');
}
