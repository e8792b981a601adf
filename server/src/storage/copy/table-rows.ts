import sql, { empty, join, raw } from 'sql-template-tag';
import type { Queries, Value } from '../database.ts';
import { countOf } from '../sql/results.ts';
import { type TableLayout, toValues } from './table-columns.ts';

/** The values of a row, as `toValues` returns them. */
export type RowOfTable = readonly Value[];

const rowsAtOnce = 1_000;
const largeRowsAtOnce = 20;

/** Some rows in the order of the key, beginning after another one. None at the end. */
export async function readRows(
  db: Queries,
  layout: TableLayout,
  after: RowOfTable | undefined,
): Promise<Value[][]> {
  const { name, key, keyPlaces, columns, hasLargeRows = false } = layout;
  const columnList = raw(columns.map((column) => column.name).join(', '));
  const isAfter =
    after === undefined
      ? empty
      : sql`WHERE (${keyList(key)}) > (${join(keyPlaces.map((place) => after[place]!))})`;
  // A limit in a parameter would have PostgreSQL plan for a tenth of the table.
  const limit = raw(String(hasLargeRows ? largeRowsAtOnce : rowsAtOnce));
  const rows = await db.all<Record<string, Value>>(
    sql`SELECT ${columnList} FROM ${raw(name)} ${isAfter} ORDER BY ${keyList(key)} LIMIT ${limit}`,
  );
  return rows.map((row) => toValues(layout, row));
}

/** The last row of a table in the order of the key. */
export async function lastRow(db: Queries, layout: TableLayout): Promise<RowOfTable | undefined> {
  const { name, key, columns } = layout;
  const columnList = raw(columns.map((column) => column.name).join(', '));
  const order = raw(key.map((column) => `${column} DESC`).join(', '));
  const row = await db.get<Record<string, Value>>(
    sql`SELECT ${columnList} FROM ${raw(name)} ORDER BY ${order} LIMIT 1`,
  );
  return row && toValues(layout, row);
}

export function countRows(db: Queries, name: string): Promise<number> {
  return countOf(db, sql`SELECT count(*) FROM ${raw(name)}`);
}

/** Every site, that of the operators too. */
export function listSiteSlugs(db: Queries): Promise<{ id: string; slug: string }[]> {
  return db.all(sql`SELECT id, slug FROM sites ORDER BY id`);
}

function keyList(key: readonly string[]) {
  return raw(key.join(', '));
}
