import type { Dialect, Migration, MigrationStep } from '../database.ts';
import { type Effect, effectsOf, type Lock } from '../postgres/statement-locks.ts';
import { type AppliedMigration, pendingMigrations } from './migrations.ts';

/** What `migrate` would do. */
export interface MigrationPlan {
  readonly migrations: readonly PlannedMigration[];
  /** Whether the database has no tables yet. */
  readonly isNew: boolean;
  /** Whether the version that used the database last can continue working, and start, beside the new tables. */
  readonly earlierVersionContinues: boolean;
}

export interface PlannedMigration {
  readonly name: string;
  /** The oldest migration whose programs can use the tables after this one. */
  readonly usableFrom: string;
  /** The steps that have not run yet. */
  readonly steps: readonly PlannedStep[];
}

export interface PlannedStep {
  readonly kind: MigrationStep['kind'];
  readonly effects: readonly PlannedEffect[];
}

export interface PlannedEffect {
  readonly action: string;
  readonly lock: Lock;
  readonly tables: readonly string[];
  /** What the lock means for requests. */
  readonly meaning: string;
}

/**
 * Plans the migration of a database, and changes nothing.
 * @throws {MigrationMismatch} when this program cannot use the database
 */
export function planMigrations(
  dialect: Dialect,
  known: readonly Migration[],
  applied: readonly AppliedMigration[],
): MigrationPlan {
  const pending = pendingMigrations(known, applied);
  const remaining = new Map(applied.map(({ name, remainingSteps }) => [name, remainingSteps]));
  const newestApplied = applied.findLast(({ remainingSteps }) => remainingSteps === 0)?.name ?? '';
  return {
    migrations: pending.map(({ name, usableFrom, steps }) => {
      const effects = dialect === 'sqlite' ? steps.map(() => [wholeFile]) : effectsOf(steps);
      const planned = steps.map(({ kind }, index) => ({ kind, effects: effects[index]!.map(explained) }));
      return { name, usableFrom, steps: planned.slice(steps.length - (remaining.get(name) ?? steps.length)) };
    }),
    isNew: applied.length === 0,
    earlierVersionContinues: pending.every(({ usableFrom }) => usableFrom <= newestApplied),
  };
}

/** SQLite has one writer: what a transaction does in detail makes no difference to the others. */
const wholeFile: Effect = { action: 'changes the tables in one transaction', lock: 'writes', tables: [] };

function explained({ action, lock, tables }: Effect): PlannedEffect {
  return { action, lock, tables, meaning: meaningOf(lock, tables) };
}

function meaningOf(lock: Lock, tables: readonly string[]): string {
  const where = tables.length === 0 ? '' : ` of ${tables.join(' and ')}`;
  return {
    none: 'locks no table in use',
    moment: `a lock of a moment${tables.length === 0 ? '' : ` on ${tables.join(' and ')}`}, retried`,
    scan: 'blocks no writes',
    rows: `other writes of the same rows${where} wait until it has finished`,
    writes: `writes${where} wait until it has finished`,
    all: `reads and writes${where} wait until it has finished`,
  }[lock];
}
