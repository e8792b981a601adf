import { readdirSync, readFileSync } from 'node:fs';
import sql, { raw } from 'sql-template-tag';
import { sourceFile } from '../../base/installation.ts';
import type { Database, Dialect, Migration, Queries, ReportProgress } from '../database.ts';
import { DatabaseClosed, MigrationMismatch } from '../errors.ts';
import { type Closure, closureName, describeClosure, parseClosure } from './closure.ts';
import { readMigration } from './migration-file.ts';

/** A migration that a store has, completely or in part. */
export interface AppliedMigration {
  readonly name: string;
  readonly hash: string;
  /** As in `Migration`. */
  readonly usableFrom: string;
  /** The version of Gatehouse that applied it; null if that was before versions were recorded. */
  readonly version: string | null;
  /** How many of its steps still have to run, because the program that ran them ended before. */
  readonly remainingSteps: number;
}

/** A row of the table of migrations. On SQLite a migration is applied completely or not at all. */
export interface MigrationRow {
  readonly name: string;
  readonly hash: string;
  readonly usable_from: string;
  readonly version: string | null;
  readonly remaining_steps?: number;
}

/** The columns of a `MigrationRow` that every table has. */
const columnsOf: Readonly<Record<Dialect, readonly string[]>> = {
  sqlite: ['name', 'hash', 'usable_from'],
  postgres: ['name', 'hash', 'usable_from', 'remaining_steps'],
};

/** The first migration of all versions before the first release, whose tables no release has. */
const firstUnreleased = '0001-sites';

const folder = sourceFile('storage/migrations/');

/** The migrations of one store, in order: `0001-schema.sqlite.sql`. A released migration is never edited. */
export function migrationsFor(dialect: Dialect): Migration[] {
  const ending = `.${dialect}.sql`;
  return readdirSync(folder)
    .filter((file) => file.endsWith(ending))
    .sort()
    .map((file) =>
      readMigration(dialect, file.slice(0, -ending.length), readFileSync(new URL(file, folder), 'utf8')),
    );
}

/**
 * The migrations that are not yet applied, or only in part. A program can use a database of a newer version if all
 * migrations that it does not know allow it.
 * @throws {MigrationMismatch} when this program cannot use the database
 */
export function pendingMigrations(
  known: readonly Migration[],
  applied: readonly AppliedMigration[],
): Migration[] {
  const hashes = new Map(known.map(({ name, hash }) => [name, hash]));
  for (const { name, hash } of applied) {
    if (!hashes.has(name)) continue;
    if (hashes.get(name) !== hash) {
      throw new MigrationMismatch(
        `The migration ${name} was changed after it was applied to the database. Restore its released text.`,
      );
    }
  }
  const newest = known.at(-1)?.name ?? '';
  const newer = newerMigrations(known, applied);
  const forbidden = newer.find(({ name, usableFrom }) => name < newest || usableFrom > newest);
  if (forbidden) {
    throw new MigrationMismatch(
      `The database has the migration ${forbidden.name}, which this version of Gatehouse does not know and cannot work ` +
        'with. Start the newer version.',
    );
  }
  const done = new Set(applied.filter(({ remainingSteps }) => remainingSteps === 0).map(({ name }) => name));
  const pending = known.filter(({ name }) => !done.has(name));
  if (newer.length > 0 && pending.length > 0) {
    throw new MigrationMismatch(
      `The database has the migration ${newer[0]!.name} of a newer version of Gatehouse, but lacks ${pending[0]!.name}. ` +
        'Start the newer version.',
    );
  }
  return pending;
}

/** The migrations of a database that this program does not know. */
export function newerMigrations(
  known: readonly Migration[],
  applied: readonly AppliedMigration[],
): AppliedMigration[] {
  const names = new Set(known.map(({ name }) => name));
  return applied.filter(({ name }) => !names.has(name));
}

/**
 * The migrations in a store, in order. None in a database that Gatehouse has not used yet.
 * @throws {MigrationMismatch} when the tables are not those of a release
 * @throws {DatabaseClosed}
 */
export async function appliedMigrations(db: Queries): Promise<AppliedMigration[]> {
  return toAppliedMigrations(await migrationRows(db));
}

/** As `appliedMigrations`, also of a closed database. */
export async function migrationsOfClosed(db: Queries): Promise<AppliedMigration[]> {
  return toAppliedMigrations((await migrationRows(db)).filter(({ name }) => name !== closureName));
}

/** Why a database is closed; undefined if it is not, or has no tables yet. */
export async function findClosure(db: Queries): Promise<Closure | undefined> {
  const row = (await migrationRows(db)).find(({ name }) => name === closureName);
  return row && parseClosure(row.hash);
}

async function migrationRows(db: Queries): Promise<MigrationRow[]> {
  const columns = await db.all<{ name: string }>(
    db.dialect === 'sqlite'
      ? sql`SELECT name FROM pragma_table_info('migrations')`
      : sql`SELECT attname::text AS name FROM pg_attribute
            WHERE attrelid = to_regclass('migrations') AND attnum > 0 AND NOT attisdropped`,
  );
  if (columns.length === 0) return [];
  const names = columns.map(({ name }) => name);
  return db.all<MigrationRow>(raw(migrationsQuery(db.dialect, names)));
}

/**
 * The statement that reads the table of migrations.
 * @param columns those that the table has
 * @throws {MigrationMismatch} when a table of a release has others
 */
export function migrationsQuery(dialect: Dialect, columns: readonly string[]): string {
  const needed = columnsOf[dialect];
  if (!needed.every((column) => columns.includes(column))) throw notReleased();
  const version = columns.includes('version') ? 'version' : 'NULL AS version';
  return `SELECT ${needed.join(', ')}, ${version} FROM migrations ORDER BY name`;
}

/**
 * @throws {MigrationMismatch} when they are not those of a release
 * @throws {DatabaseClosed}
 */
export function toAppliedMigrations(rows: readonly MigrationRow[]): AppliedMigration[] {
  const closure = rows.find(({ name }) => name === closureName);
  if (closure !== undefined) throw new DatabaseClosed(describeClosure(parseClosure(closure.hash)));
  if (rows.some(({ name }) => name === firstUnreleased)) throw notReleased();
  return rows.map(
    ({ name, hash, usable_from: usableFrom, version, remaining_steps: remainingSteps = 0 }) => ({
      name,
      hash,
      usableFrom,
      version,
      remainingSteps,
    }),
  );
}

function notReleased(): MigrationMismatch {
  return new MigrationMismatch(
    'This database was created by a version of Gatehouse before the first release, or by another program. This version ' +
      'cannot use its tables, and has not changed them. Set GATEHOUSE_DATABASE_URL to a new database. The version that ' +
      'created this one can export its members with ./gatehouse members export, to import them there.',
  );
}

/** Applies the pending migrations under a lock. Returns their names. */
export function migrate(database: Database, report?: ReportProgress): Promise<readonly string[]> {
  return database.migrate(migrationsFor(database.dialect), report);
}
