import sql, { join, type RawValue, type Sql } from 'sql-template-tag';
import type { Queries, Value } from '../database.ts';

/** The right side of `IN`: values in parentheses. An empty list, which SQL itself cannot express, matches nothing. */
export function valueList(values: Iterable<RawValue>): Sql {
  const listed = [...values];
  return listed.length === 0 ? sql`(NULL)` : sql`(${join(listed)})`;
}

/**
 * Matches rows by keys of several columns, in parentheses: `(list, item_id) IN ${keyList(tx, keys)}`. PostgreSQL
 * infers the column types for a plain list but not for `VALUES`; SQLite supports only `VALUES`.
 */
export function keyList(queries: Queries, keys: readonly (readonly Value[])[]): Sql {
  const rows = join(keys.map((key) => sql`(${join([...key])})`));
  return queries.dialect === 'postgres' ? sql`(${rows})` : sql`(VALUES ${rows})`;
}
