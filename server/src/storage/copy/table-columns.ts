import sql from 'sql-template-tag';
import type { Queries, Value } from '../database.ts';
import { type CopiedTable, copiedTables, ownColumnsOfSqlite } from './copied-tables.ts';

/** A copied column. */
export interface CopiedColumn {
  readonly name: string;
  readonly kind: 'boolean' | 'time' | 'other';
}

/** A copied table with its columns. */
export interface TableLayout extends CopiedTable {
  readonly columns: readonly CopiedColumn[];
  /** The places of the key among the columns. */
  readonly keyPlaces: readonly number[];
}

/**
 * The copied tables with their columns. PostgreSQL knows which ones are booleans and times; between two SQLite files
 * nothing is converted.
 */
export async function readLayouts(source: Queries, target: Queries): Promise<TableLayout[]> {
  const typed = source.dialect === 'postgres' ? source : target;
  const columns = await (typed.dialect === 'postgres' ? columnsOfPostgres(typed) : columnsOfSqlite(typed));
  return copiedTables.map((table) => {
    const own = ownColumnsOfSqlite[table.name] ?? [];
    const ofTable = columns.filter((each) => each.table === table.name && !own.includes(each.name));
    const keyPlaces = table.key.map((name) => ofTable.findIndex((column) => column.name === name));
    return { ...table, columns: ofTable, keyPlaces };
  });
}

interface ColumnOfTable extends CopiedColumn {
  readonly table: string;
}

async function columnsOfPostgres(db: Queries): Promise<ColumnOfTable[]> {
  const rows = await db.all<{ table: string; name: string; type: string }>(sql`
    SELECT c.relname::text AS table, a.attname::text AS name, format_type(a.atttypid, NULL) AS type
    FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
    WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p')
      AND a.attnum > 0 AND NOT a.attisdropped
    ORDER BY c.relname, a.attnum`);
  return rows.map(({ table, name, type }) => ({ table, name, kind: kinds[type] ?? 'other' }));
}

const kinds: Readonly<Record<string, CopiedColumn['kind']>> = {
  boolean: 'boolean',
  'timestamp with time zone': 'time',
};

async function columnsOfSqlite(db: Queries): Promise<ColumnOfTable[]> {
  const rows = await db.all<{ table: string; name: string }>(sql`
    SELECT t.name AS "table", c.name AS name FROM sqlite_schema t JOIN pragma_table_info(t.name) c
    WHERE t.type = 'table' ORDER BY t.name, c.cid`);
  return rows.map(({ table, name }) => ({ table, name, kind: 'other' }));
}

/** The values of a row in the order of the columns, the same for both stores: booleans, and times in milliseconds. */
export function toValues({ columns }: TableLayout, row: Readonly<Record<string, Value>>): Value[] {
  return columns.map(({ name, kind }) => {
    const value = row[name]!;
    if (value === null || kind === 'other') return value;
    if (kind === 'boolean') return value === true || value === 1;
    return isInMilliseconds(value) ? value : new Date(String(value)).toISOString();
  });
}

/** As all times are that Gatehouse writes: `2026-01-31T09:30:00.120Z`. */
function isInMilliseconds(value: Value): boolean {
  return typeof value === 'string' && value.length === 24 && value.endsWith('Z');
}
