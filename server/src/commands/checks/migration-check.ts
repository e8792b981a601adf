import type { Queries } from '../../storage/database.ts';
import { MigrationMismatch } from '../../storage/errors.ts';
import { appliedMigrations, migrationsFor, pendingMigrations } from '../../storage/migrations.ts';
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
          'Stop the service. Then run ./gatehouse migrate, or start this version, which applies them too.',
        );
  } catch (error) {
    if (error instanceof MigrationMismatch) {
      return fail('migrations', error.message, 'Run the version of Gatehouse that last used this database.');
    }
    throw error;
  }
}
