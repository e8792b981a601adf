import type { Queries } from '../database.ts';
import { MigrationMismatch } from '../errors.ts';
import {
  migrationsFor,
  migrationsOfClosed,
  newerMigrations,
  pendingMigrations,
} from '../migrations/migrations.ts';

/**
 * A copy needs to know every table and column, so the tables have to be exactly those of this version.
 * @throws {MigrationMismatch}
 */
export async function requireTablesOfThisVersion(db: Queries): Promise<void> {
  const known = migrationsFor(db.dialect);
  const applied = await migrationsOfClosed(db);
  const [newer] = newerMigrations(known, applied);
  if (newer !== undefined) {
    throw new MigrationMismatch(
      `The database has the migration ${newer.name} of a newer version of Gatehouse. Copy it with that version.`,
    );
  }
  const [pending] = pendingMigrations(known, applied);
  if (pending === undefined) return;
  throw new MigrationMismatch(
    `The database lacks the migration ${pending.name}. Run ./gatehouse migrate first; a copy that an earlier version has ` +
      'begun is continued with that version.',
  );
}
