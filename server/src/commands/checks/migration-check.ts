import sql from 'sql-template-tag';
import type { Queries } from '../../storage/database.ts';
import { MigrationMismatch, StoreUnavailable } from '../../storage/errors.ts';
import { migrationsFor, pendingMigrations } from '../../storage/migrations.ts';
import { type Check, fail, ok, warn } from './check.ts';

/** Whether the database schema is that of this version. */
export async function checkMigrations(db: Queries): Promise<Check> {
  const known = migrationsFor(db.dialect);
  try {
    const pending = pendingMigrations(known, await appliedMigrations(db));
    return pending.length === 0
      ? ok('migrations', `all ${known.length} applied`)
      : warn(
          'migrations',
          `not yet applied: ${pending.map(({ name }) => name).join(', ')}`,
          'Run ./gatehouse migrate, or start the service, which applies them too.',
        );
  } catch (error) {
    if (error instanceof MigrationMismatch) {
      return fail('migrations', error.message, 'Run the version of Gatehouse that last used this database.');
    }
    throw error;
  }
}

async function appliedMigrations(db: Queries): Promise<{ name: string; hash: string }[]> {
  try {
    return await db.all(sql`SELECT name, hash FROM migrations ORDER BY name`);
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error;
    // No migration was ever applied: the first migration creates this table.
    return [];
  }
}
