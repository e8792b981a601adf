import { version } from '../../base/version.ts';
import type { Migration, ReportProgress } from '../database.ts';
import { pendingMigrations } from '../migrations/migrations.ts';
import { createMigrationsTable, readMigrationsTable } from './migrations-table.ts';
import type { SqliteConnection } from './sqlite-connection.ts';

/** Applies the pending migrations in one transaction, and returns their names. */
export function migrateSqlite(
  connection: SqliteConnection,
  migrations: readonly Migration[],
  report: ReportProgress,
): string[] {
  connection.exec('BEGIN IMMEDIATE');
  try {
    const applied = readMigrationsTable(connection.database) ?? [];
    createMigrationsTable(connection.database);
    const pending = pendingMigrations(migrations, applied);
    for (const { name, hash, usableFrom, steps } of pending) {
      if (applied.length > 0) report(`${name}: changes the tables in one transaction`);
      for (const { script } of steps) connection.exec(script);
      connection.database
        .prepare(
          'INSERT INTO migrations (name, hash, applied_at, usable_from, version) VALUES (?, ?, ?, ?, ?)',
        )
        .run(name, hash, new Date().toISOString(), usableFrom, version);
    }
    connection.exec('COMMIT');
    return pending.map(({ name }) => name);
  } catch (error) {
    if (connection.database.isTransaction) connection.exec('ROLLBACK');
    throw error;
  }
}
