import { empty, raw, type Sql } from 'sql-template-tag';
import type { Queries } from '../database.ts';

const clause = raw('FOR UPDATE');
const clauseById = raw('ORDER BY id FOR UPDATE');
const clauseToShare = raw('FOR UPDATE SKIP LOCKED');

/**
 * Ends a SELECT: locks the rows it finds until the transaction ends. SQLite has a single writer and needs no such
 * clause.
 */
export function forUpdate(queries: Queries): Sql {
  return queries.dialect === 'postgres' ? clause : empty;
}

/**
 * Like `forUpdate`, for several rows: in the order of their ids, so that no two transactions wait for each other. On
 * SQLite it is empty, because for the order SQLite would read every row of a site.
 */
export function forUpdateById(queries: Queries): Sql {
  return queries.dialect === 'postgres' ? clauseById : empty;
}

/** Like `forUpdate`, but skips rows that another transaction has locked. */
export function skipLocked(queries: Queries): Sql {
  return queries.dialect === 'postgres' ? clauseToShare : empty;
}
