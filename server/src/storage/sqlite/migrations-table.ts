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
       name TEXT PRIMARY KEY, hash TEXT NOT NULL, applied_at TEXT NOT NULL, usable_from TEXT NOT NULL,
       version TEXT NOT NULL) STRICT`,
  );
}

/**
 * The migrations in a database, in order; undefined if it has no table of them.
 * @throws {MigrationMismatch} when the tables are not those of a release
 */
export function readMigrationsTable(database: DatabaseSync): AppliedMigration[] | undefined {
  const columns = database.prepare("SELECT name FROM pragma_table_info('migrations')").all();
  if (columns.length === 0) return undefined;
  const query = migrationsQuery(
    'sqlite',
    columns.map(({ name }) => String(name)),
  );
  return toAppliedMigrations(database.prepare(query).all() as unknown as MigrationRow[]);
}
