import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import sql from 'sql-template-tag';
import { sourceFile } from '../base/installation.ts';
import type { Database, Dialect, Migration, Queries } from './database.ts';
import { MigrationMismatch } from './errors.ts';

/** A migration that a store has. */
export type AppliedMigration = Pick<Migration, 'name' | 'hash'>;

const folder = sourceFile('storage/migrations/');

/** The migrations of one store, in order: `0001-sites.sqlite.sql`. A released migration is never edited. */
export function migrationsFor(dialect: Dialect): Migration[] {
  const ending = `.${dialect}.sql`;
  return readdirSync(folder)
    .filter((file) => file.endsWith(ending))
    .sort()
    .map((file) => {
      const script = readFileSync(new URL(file, folder), 'utf8');
      const hash = createHash('sha256').update(script).digest('hex');
      return { name: file.slice(0, -ending.length), script, hash };
    });
}

/**
 * The migrations not yet applied.
 * @throws {MigrationMismatch} when the store has a migration that this program lacks or that differs from its own
 */
export function pendingMigrations(
  known: readonly Migration[],
  applied: readonly AppliedMigration[],
): Migration[] {
  const hashes = new Map(known.map(({ name, hash }) => [name, hash]));
  for (const { name, hash } of applied) {
    if (!hashes.has(name)) {
      throw new MigrationMismatch(
        `The database has the migration ${name}, which this version of Gatehouse does not know. Start the newer version.`,
      );
    }
    if (hashes.get(name) !== hash) {
      throw new MigrationMismatch(
        `The migration ${name} was changed after it was applied to the database. Restore its released text.`,
      );
    }
  }
  const done = new Set(applied.map(({ name }) => name));
  return known.filter(({ name }) => !done.has(name));
}

/** The migrations in a store, in order. None in a database that Gatehouse has not used yet. */
export async function appliedMigrations(db: Queries): Promise<AppliedMigration[]> {
  const table = await db.get<{ name: string | null }>(
    db.dialect === 'sqlite'
      ? sql`SELECT name FROM sqlite_schema WHERE type = 'table' AND name = 'migrations'`
      : sql`SELECT to_regclass('migrations')::text AS name`,
  );
  if (!table?.name) return [];
  return db.all(sql`SELECT name, hash FROM migrations ORDER BY name`);
}

/** Applies the pending migrations under a lock. Returns their names. */
export function migrate(database: Database): Promise<readonly string[]> {
  return database.migrate(migrationsFor(database.dialect));
}
