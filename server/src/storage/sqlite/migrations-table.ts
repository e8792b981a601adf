import type { DatabaseSync } from 'node:sqlite';
import {
  type AppliedMigration,
  type MigrationRow,
  migrationsQuery,
  toAppliedMigrations,
} from '../migrations/migrations.ts';

export function createMigrationsTable(database: DatabaseSync): void {
  database.exec(
    `CREATE TABLE IF NOT EXISTS migrations (
       name TEXT PRIMARY KEY, hash TEXT NOT NULL, applied_at TEXT NOT NULL, usable_from TEXT NOT NULL) STRICT`,
  );
  if (!columnsOf(database).includes('version'))
    database.exec('ALTER TABLE migrations ADD COLUMN version TEXT');
}

/**
 * The migrations in a database, in order; undefined if it has no table of them.
 * @throws {MigrationMismatch} when the tables are not those of a release
 */
export function readMigrationsTable(database: DatabaseSync): AppliedMigration[] | undefined {
  const columns = columnsOf(database);
  if (columns.length === 0) return undefined;
  const rows = database.prepare(migrationsQuery('sqlite', columns)).all();
  return toAppliedMigrations(rows as unknown as MigrationRow[]);
}

function columnsOf(database: DatabaseSync): string[] {
  const columns = database.prepare("SELECT name FROM pragma_table_info('migrations')").all();
  return columns.map(({ name }) => String(name));
}
