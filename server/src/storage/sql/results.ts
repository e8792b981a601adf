import type { Queries } from '../database.ts';
import type { Statement } from './statement.ts';

/** Whether a statement returns a row. */
export async function hasRow(db: Queries, statement: Statement): Promise<boolean> {
  return (await db.get(statement)) !== undefined;
}

/** The value of a statement with one column; undefined without a row. */
export async function firstValue<Value>(db: Queries, statement: Statement): Promise<Value | undefined> {
  const row = await db.get<Record<string, Value>>(statement);
  return row && Object.values(row)[0];
}

/** The value in each row of a statement with one column. */
export async function allValues<Value>(db: Queries, statement: Statement): Promise<Value[]> {
  const rows = await db.all<Record<string, Value>>(statement);
  return rows.map((row) => Object.values(row)[0]!);
}

/** The number that a statement with `count(*)` returns. */
export async function countOf(db: Queries, statement: Statement): Promise<number> {
  return Number(await firstValue(db, statement));
}
