import type { Queries } from '../../../../storage/database.ts';
import { MigrationMismatch } from '../../../../storage/errors.ts';
import { planMigrations } from '../../../../storage/migrations/migration-plan.ts';
import {
  appliedMigrations,
  migrationsFor,
  newerMigrations,
} from '../../../../storage/migrations/migrations.ts';
import { howToMigrate } from '../../../shared/store.ts';
import { type Check, fail, ok, warn } from '../check.ts';

/** Whether the database schema is that of this version, or of a newer one that allows it. */
export async function checkMigrations(db: Queries): Promise<Check> {
  const known = migrationsFor(db.dialect);
  const applied = await appliedMigrations(db);
  try {
    const { migrations: pending, earlierVersionContinues } = planMigrations(db.dialect, known, applied);
    if (pending.length > 0) {
      return warn(
        'migrations',
        `not yet applied: ${pending.map(({ name }) => name).join(', ')}`,
        howToMigrate(earlierVersionContinues),
      );
    }
    const newer = newerMigrations(known, applied);
    return ok(
      'migrations',
      newer.length === 0
        ? `all ${known.length} applied`
        : `all ${known.length} applied, and of version ${newer.at(-1)!.version ?? 'unknown'}, beside which this one works: ${newer.map(({ name }) => name).join(', ')}`,
    );
  } catch (error) {
    if (error instanceof MigrationMismatch) {
      return fail('migrations', error.message, 'Run the version of Gatehouse that last used this database.');
    }
    throw error;
  }
}
