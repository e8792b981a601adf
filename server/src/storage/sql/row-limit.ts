import sql, { type Sql } from 'sql-template-tag';
import type { Dialect } from '../database.ts';

/**
 * `LIMIT` for rows that an index has in the order of the statement. PostgreSQL would read and sort all of them instead
 * where it expects fewer than the limit, often wrongly; if it does not know the limit, it expects a tenth of them.
 */
export function limitInOrder(dialect: Dialect, count: number): Sql {
  return dialect === 'sqlite' ? sql`LIMIT ${count}` : sql`LIMIT (SELECT CAST(${count} AS bigint))`;
}
