import { setTimeout as sleep } from 'node:timers/promises';
import type { Migration, Queries, ReportProgress } from '../../database.ts';
import { MigrationBlocked } from '../../errors.ts';
import { appliedMigrations, pendingMigrations } from '../../migrations/migrations.ts';
import { distributeNewTables, prepareForCitus } from '../citus/distribution.ts';
import type { PostgresConnection } from '../connections/postgres-connection.ts';
import { translatePostgresError } from '../postgres-errors.ts';
import { MigrationSteps } from './migration-steps.ts';

const migrationLock = 7_248_301_557;
const pollMilliseconds = 250;
const sessionAdvice =
  'The tables must be brought up to date, which is not possible through a pooler in transaction mode. Set ' +
  'GATEHOUSE_DATABASE_DIRECT_URL to the URL of the same database without the pooler.';

/** How to reach the database for migrations. */
export interface MigrationAccess {
  open(): Promise<PostgresConnection>;
  /** Whether a connection keeps its session: a pooler in transaction mode gives it to another client in between. */
  readonly keepsSessions: boolean;
}

/**
 * Applies the pending migrations step by step while other processes continue reading and writing, and returns their names.
 * A run that was interrupted is continued by the next one. One process at a time migrates, under a lock of its session.
 * @throws {MigrationMismatch} when this program cannot use the database
 * @throws {MigrationBlocked} when a table is in use all the time, or there are no sessions
 */
export async function migratePostgres(
  { open, keepsSessions }: MigrationAccess,
  migrations: readonly Migration[],
  report: ReportProgress = () => {},
): Promise<string[]> {
  try {
    const connection = await open();
    try {
      const db = queriesOn(connection);
      // Nothing is locked or written when there is nothing to do: a start then needs no right to change tables.
      const pending = pendingMigrations(migrations, await appliedMigrations(db));
      if (pending.length === 0) return [];
      if (!keepsSessions || !(await keepsSession(connection, open)))
        throw new MigrationBlocked(sessionAdvice);
      await waitForLock(connection, report);
      await prepareForCitus(connection);
      const applied = await applyPending(connection, db, migrations, report);
      await distributeNewTables(connection);
      return applied;
    } finally {
      // Ends the session, and its lock with it.
      await connection.end(1);
    }
  } catch (error) {
    throw translatePostgresError(error);
  }
}

/**
 * Whether a connection keeps its session: a transaction of another connection takes away a session that a pooler gives
 * to the next client. True if this cannot be tested because the server or the pooler accepts no other connection: if
 * two processes then migrate at once, one of them fails before it changes anything (see `MigrationSteps`).
 */
async function keepsSession(connection: PostgresConnection, open: MigrationAccess['open']): Promise<boolean> {
  const other = await open().catch(() => undefined);
  if (other === undefined) return true;
  try {
    const session = await processOf(connection);
    await other.query('BEGIN', []);
    const taken = await processOf(other);
    return taken !== session && (await processOf(connection)) === session;
  } finally {
    await other.end(1);
  }
}

/** The process of the server that answers a connection now. */
async function processOf(connection: PostgresConnection): Promise<number> {
  const { rows } = await connection.query('SELECT pg_backend_pid() AS pid', []);
  return rows[0]!.pid as number;
}

/**
 * Polls, because a session that waits for a lock keeps a snapshot, and the process that has the lock may build an index
 * for which PostgreSQL waits until all older snapshots have ended.
 */
async function waitForLock(connection: PostgresConnection, report: ReportProgress): Promise<void> {
  for (let polls = 0; ; polls += 1) {
    const { rows } = await connection.query('SELECT pg_try_advisory_lock($1) AS locked', [migrationLock]);
    if (rows[0]!.locked) return;
    if (polls === 0) report('another process is migrating the database: waiting until it has finished');
    await sleep(pollMilliseconds);
  }
}

async function applyPending(
  connection: PostgresConnection,
  db: Queries,
  migrations: readonly Migration[],
  report: ReportProgress,
): Promise<string[]> {
  await createMigrationsTable(connection);
  // An index or a backfill may take long; each transaction of a step has its own, short limits.
  await connection.query('SET statement_timeout = 0; SET lock_timeout = 0', []);
  const applied = await appliedMigrations(db);
  const pending = pendingMigrations(migrations, applied);
  for (const migration of pending) {
    const started = applied.find(({ name }) => name === migration.name);
    // No one needs to hear how the tables of a new database are created.
    const steps = new MigrationSteps(connection, migration, applied.length > 0 ? report : () => {});
    await steps.apply(started?.remainingSteps ?? migration.steps.length);
  }
  return pending.map(({ name }) => name);
}

async function createMigrationsTable(connection: PostgresConnection): Promise<void> {
  await connection.query(
    `CREATE TABLE IF NOT EXISTS migrations (
       name text PRIMARY KEY, hash text NOT NULL, applied_at timestamptz(3) NOT NULL DEFAULT now(),
       usable_from text NOT NULL, remaining_steps integer NOT NULL, resume_after text)`,
    [],
  );
  await connection.query('ALTER TABLE migrations ADD COLUMN IF NOT EXISTS version text', []);
}

function queriesOn(connection: PostgresConnection): Queries {
  const query: Queries['all'] = async ({ text, values }) =>
    (await connection.query(text, values)).rows as never;
  return {
    dialect: 'postgres',
    all: query,
    get: async (statement) => (await query(statement))[0] as never,
    run: async ({ text, values }) => (await connection.query(text, values)).count,
  };
}
