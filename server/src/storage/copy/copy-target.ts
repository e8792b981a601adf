import sql, { raw } from 'sql-template-tag';
import type { Database, Queries, ReportProgress, Transaction } from '../database.ts';
import { type Closure, insertClosure, replaceClosure } from '../migrations/closure.ts';
import { findClosure, migrate } from '../migrations/migrations.ts';
import { firstValue, hasRow } from '../sql/results.ts';
import { copiedTables } from './copied-tables.ts';
import { requireTablesOfThisVersion } from './tables-of-version.ts';

/** A database that cannot become the copy. The message says why. */
export class UnusableTarget extends Error {
  readonly reason: 'itself' | 'not_empty' | 'other_copy' | 'encoding';

  constructor(reason: UnusableTarget['reason'], message: string) {
    super(message);
    this.name = 'UnusableTarget';
    this.reason = reason;
  }
}

/**
 * Makes an empty database the incomplete copy, which no service can use, or continues one. Returns its closure, with
 * this run as the one that writes.
 * @throws {UnusableTarget}
 */
export async function beginCopy(
  target: Database,
  closure: Closure,
  report: ReportProgress,
): Promise<Closure> {
  await requireEncoding(target);
  const found = await findClosure(target);
  if (found === undefined) {
    if (await isOfOtherProgram(target)) {
      throw new UnusableTarget('not_empty', 'It has tables of another program.');
    }
    await migrate(target, report);
    await requireTablesOfThisVersion(target);
    await target.transaction(async (tx) => {
      // A service that starts now writes before this, and is found, or waits.
      await lockSites(tx);
      await requireEmpty(tx);
      await insertClosure(tx, closure);
    });
    return closure;
  }
  requireContinuable(found, closure);
  await requireTablesOfThisVersion(target);
  if (await target.transaction((tx) => replaceClosure(tx, found, closure))) return closure;
  throw new UnusableTarget('other_copy', 'Another process is copying to it now.');
}

/** Of all closed databases, only an incomplete copy can be deleted without a loss: another one may have the only data. */
function requireContinuable(found: Closure, { copyId }: Closure): void {
  if (found.state !== 'incomplete') {
    throw found.copyId === copyId
      ? new UnusableTarget('itself', 'It is the database that is copied, under another name.')
      : new UnusableTarget('not_empty', `It has data, which is copied to ${found.other}.`);
  }
  if (found.copyId === copyId) return;
  throw new UnusableTarget(
    'other_copy',
    `It is an incomplete copy of ${found.other}, of another time or database.`,
  );
}

async function lockSites(tx: Transaction): Promise<void> {
  if (tx.dialect === 'postgres') await tx.run(sql`LOCK TABLE sites IN SHARE ROW EXCLUSIVE MODE`);
}

async function requireEmpty(tx: Transaction): Promise<void> {
  for (const { name } of copiedTables) {
    if (!(await hasRow(tx, sql`SELECT 1 FROM ${raw(name)} LIMIT 1`))) continue;
    throw new UnusableTarget(
      'not_empty',
      'It has data, as every database has in which a service was started.',
    );
  }
}

/** PostgreSQL stores texts of all languages only in UTF-8. The tables themselves say how they are sorted. */
async function requireEncoding(target: Queries): Promise<void> {
  if (target.dialect === 'sqlite') return;
  const encoding = await firstValue<string>(target, sql`SELECT current_setting('server_encoding')`);
  if (encoding === 'UTF8') return;
  throw new UnusableTarget('encoding', `Its encoding is ${encoding}, and has to be UTF8.`);
}

/** Whether there are tables, but none of Gatehouse. */
function isOfOtherProgram(target: Queries): Promise<boolean> {
  return hasRow(
    target,
    target.dialect === 'sqlite'
      ? sql`SELECT 1 FROM sqlite_schema
            WHERE type = 'table' AND NOT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'migrations') LIMIT 1`
      : sql`SELECT 1 FROM pg_class c
            WHERE c.relkind IN ('r', 'p') AND c.relnamespace = current_schema()::regnamespace
              AND to_regclass('migrations') IS NULL
              AND NOT EXISTS (
                SELECT 1 FROM pg_depend d
                WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
            LIMIT 1`,
  );
}
