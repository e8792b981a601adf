import { setImmediate } from 'node:timers/promises';
import { raw } from 'sql-template-tag';
import type { Database, Transaction } from '../database.ts';
import { copiedTables } from './copied-tables.ts';
import { readLayouts, type TableLayout } from './table-columns.ts';
import { countRows, lastRow, type RowOfTable, readRows } from './table-rows.ts';

/** Two databases with the same tables, of which no one else writes to either. */
export interface CopiedDatabases {
  readonly source: Database;
  readonly target: Database;
  /** Called first in each transaction of the target. @throws if another process writes to it now */
  readonly requireOwn: (tx: Transaction) => Promise<void>;
}

/** Receives how many rows are done, of how many. */
export type OnRows = (done: number, total: number) => void;

/**
 * Copies all rows. Each table is copied in the order of its key, and each step is a transaction: so the last row in the
 * target is where a run that was interrupted ended, and the next one continues there.
 */
export async function copyRows(databases: CopiedDatabases, onRows: OnRows): Promise<void> {
  const { source, target } = databases;
  const total = await countAll(source);
  let done = await countAll(target);
  onRows(done, total);
  for (const layout of await readLayouts(source, target)) {
    await copyTable(databases, layout, (count) => {
      done += count;
      onRows(done, total);
    });
  }
}

async function copyTable(
  { source, target, requireOwn }: CopiedDatabases,
  layout: TableLayout,
  onCopied: (count: number) => void,
): Promise<void> {
  const columns = layout.columns.map(({ name }) => name);
  const write = async (rows: readonly RowOfTable[]) => {
    await target.transaction(async (tx) => {
      await requireOwn(tx);
      // SQLite changes the values that it is given, and may run the transaction again.
      const values = rows.map((row) => [...row]);
      await tx.insert(layout.name, columns, values);
    });
    onCopied(rows.length);
  };
  let rows = await readRows(source, layout, await lastRow(target, layout));
  while (rows.length > 0) {
    // The next rows are read while these are written.
    const [next] = await Promise.all([readRows(source, layout, rows.at(-1)), write(rows), setImmediate()]);
    rows = next;
  }
}

/** Lets PostgreSQL plan with what the tables contain now. SQLite has statistics of its own from the schema. */
export async function updateStatistics(target: Database): Promise<void> {
  if (target.dialect === 'sqlite') return;
  for (const { name } of copiedTables) await target.run(raw(`ANALYZE ${name}`));
}

async function countAll(db: Database): Promise<number> {
  let count = 0;
  for (const { name } of copiedTables) count += await countRows(db, name);
  return count;
}
