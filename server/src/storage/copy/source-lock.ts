import { setTimeout as sleep } from 'node:timers/promises';
import sql, { raw } from 'sql-template-tag';
import type { Database, Transaction } from '../database.ts';
import { DatabaseInUse, StoreUnavailable } from '../errors.ts';
import { copiedTables } from './copied-tables.ts';

/** Vacuuming gives way after a second. A service has no transaction that takes as long. */
const lockWaitMilliseconds = 5_000;
const pollMilliseconds = 100;
const maxPolls = 20;

/**
 * Locks the tables of a PostgreSQL database for the time of some work: nobody else can write to them, or lock them so.
 * An SQLite file is locked by its connection instead (`exclusive`).
 * @param locking a connection that may keep a transaction open for so long
 * @param work gets a function that throws if the locks are lost, or a service has started
 * @throws {DatabaseInUse} when a service is connected, or writes
 */
export async function whileLocked<T>(
  locking: Database,
  applicationName: string,
  work: (requireLocks: () => Promise<void>) => Promise<T>,
): Promise<T> {
  if (locking.dialect === 'sqlite') return work(async () => {});
  return locking.transaction(async (tx) => {
    await waitForService(tx, applicationName);
    await requireNoService(tx, applicationName);
    await lockTables(tx);
    return work(() => requireNoService(tx, applicationName));
  });
}

/** The connections of a service that has just stopped end a moment later. */
async function waitForService(tx: Transaction, applicationName: string): Promise<void> {
  for (let polls = 0; polls < maxPolls; polls += 1) {
    if ((await findService(tx, applicationName)) === undefined) return;
    await sleep(pollMilliseconds);
  }
}

interface Session {
  readonly pid: number;
  readonly since: string | null;
}

/** A service keeps connections open, and has its name on each. */
async function findService(tx: Transaction, applicationName: string): Promise<Session | undefined> {
  // A transaction otherwise sees the sessions that there were when it looked first.
  await tx.all(sql`SELECT pg_stat_clear_snapshot()`);
  return tx.get<Session>(sql`
    SELECT pid, to_char(backend_start AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI') AS since FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = ${applicationName} ORDER BY backend_start LIMIT 1`);
}

async function requireNoService(tx: Transaction, applicationName: string): Promise<void> {
  const session = await findService(tx, applicationName);
  if (session === undefined) return;
  const since = session.since === null ? '' : ` since ${session.since} UTC`;
  throw new DatabaseInUse(
    `A Gatehouse is connected to this database (process ${session.pid} of PostgreSQL${since}).`,
  );
}

async function lockTables(tx: Transaction): Promise<void> {
  const names = copiedTables.map(({ name }) => name).join(', ');
  // Nothing is sent while the rows are copied. A pooler may not have passed on the limit of the connection.
  await tx.run(raw('SET LOCAL idle_in_transaction_session_timeout = 0'));
  await tx.run(raw(`SET LOCAL lock_timeout = ${lockWaitMilliseconds}`));
  try {
    // Of two copies at the same time one waits in vain; reading is possible.
    await tx.run(raw(`LOCK TABLE ${names} IN SHARE ROW EXCLUSIVE MODE`));
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    throw new DatabaseInUse('Another program writes to this database.', error);
  }
}
