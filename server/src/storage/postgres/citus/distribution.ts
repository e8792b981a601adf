import { setTimeout as sleep } from 'node:timers/promises';
import sql from 'sql-template-tag';
import { CitusProblem } from '../../errors.ts';
import type { PostgresConnection } from '../connections/postgres-connection.ts';
import { translatePostgresError } from '../postgres-errors.ts';
import { type CitusCatalog, hasCitus, type ReadRows, readCitusCatalog } from './citus-catalog.ts';
import { findObstacles, isDistributed, planDistribution, type Step } from './distribution-plan.ts';

const distributionLock = 7_248_301_558;
const lockPollMilliseconds = 200;

/**
 * Prepares a connection for migrations on Citus: a new table stays local until `distributeNewTables`, and statements
 * about all shards of a table use one connection to each node, so that they see the earlier ones of their transaction.
 */
export async function prepareForCitus(connection: PostgresConnection): Promise<void> {
  if (!(await hasCitus(readerOf(connection)))) return;
  await set(connection, {
    'citus.enable_local_reference_table_foreign_keys': 'off',
    'citus.multi_shard_modify_mode': 'sequential',
  });
}

/**
 * Distributes the tables that migrations have added to a distributed database. Does nothing on any other. Returns
 * their names.
 * @throws {CitusProblem}
 */
export async function distributeNewTables(connection: PostgresConnection): Promise<readonly string[]> {
  const read = readerOf(connection);
  if (!(await hasCitus(read)) || !isDistributed(await readCitusCatalog(read))) return [];
  return distributeTables(connection);
}

/** Distributes the tables of a database on a connection of its own; see `distributeTables`. */
export async function distributeDatabase(
  open: () => Promise<PostgresConnection>,
): Promise<readonly string[]> {
  try {
    const connection = await open();
    return await distributeTables(connection).finally(() => connection.end(1));
  } catch (error) {
    throw translatePostgresError(error);
  }
}

/**
 * Gives every table to Citus, most of them in shards by site. Called again, it distributes what is new, and continues
 * what was interrupted. Returns the names of the tables.
 * @throws {CitusProblem} when Citus is missing, or cannot distribute a table
 */
async function distributeTables(connection: PostgresConnection): Promise<readonly string[]> {
  const read = readerOf(connection);
  await requireCoordinator(read);
  await set(connection, {
    statement_timeout: '0',
    lock_timeout: '60s',
    idle_in_transaction_session_timeout: '0',
    'citus.multi_shard_modify_mode': 'parallel',
  });
  await acquireLock(connection);
  try {
    const before = await readCitusCatalog(read);
    const obstacles = findObstacles(before);
    if (obstacles.length > 0) {
      throw new CitusProblem(
        `The tables cannot be distributed: ${obstacles.join('; ')}. Nothing was changed. Change this, and run the ` +
          'command again.',
      );
    }
    for (const step of planDistribution(before)) await run(connection, step);
    return newlyDistributed(before, await readCitusCatalog(read));
  } finally {
    await connection.query('SELECT pg_advisory_unlock($1)', [distributionLock]);
  }
}

async function requireCoordinator(read: ReadRows): Promise<void> {
  if (!(await hasCitus(read))) {
    throw new CitusProblem(
      'The database has no Citus. Run CREATE EXTENSION citus as a superuser, on the coordinator and on every worker.',
    );
  }
  const [node] = await read<{ groupid: number }>(sql`SELECT groupid FROM pg_dist_local_group`);
  if (node?.groupid !== 0) {
    throw new CitusProblem(
      'This server is a worker of Citus. Set GATEHOUSE_DATABASE_URL to its coordinator.',
    );
  }
}

async function set(
  connection: PostgresConnection,
  settings: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [name, value] of Object.entries(settings)) {
    await connection.query('SELECT set_config($1, $2, false)', [name, value]);
  }
}

/** Two processes that start at the same time may both find new tables. */
async function acquireLock(connection: PostgresConnection): Promise<void> {
  for (;;) {
    const { rows } = await connection.query('SELECT pg_try_advisory_lock($1) AS taken', [distributionLock]);
    if (rows[0]!.taken) return;
    await sleep(lockPollMilliseconds);
  }
}

async function run(connection: PostgresConnection, step: Step): Promise<void> {
  await connection.query('BEGIN', []);
  try {
    for (const statement of step) await connection.query(statement, []);
    await connection.query('COMMIT', []);
  } catch (error) {
    await connection.query('ROLLBACK', []).catch(() => {});
    throw error;
  }
}

function newlyDistributed(before: CitusCatalog, after: CitusCatalog): string[] {
  const wereLocal = new Set(before.tables.filter(({ kind }) => kind === 'local').map(({ name }) => name));
  return after.tables
    .filter(({ kind, name }) => kind !== 'local' && wereLocal.has(name))
    .map(({ name }) => name);
}

export function readerOf(connection: PostgresConnection): ReadRows {
  return async ({ text, values }) => (await connection.query(text, values)).rows as never;
}
