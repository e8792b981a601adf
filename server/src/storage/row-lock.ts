import { empty, raw, type Sql } from 'sql-template-tag';
import type { Queries } from './database.ts';

const clause = raw('FOR UPDATE');
const clauseForChanges = raw('FOR NO KEY UPDATE');
const clauseToShare = raw('FOR UPDATE SKIP LOCKED');

/** Ends a SELECT: locks the rows it finds until the transaction ends. SQLite has one writer and needs no word for it. */
export function forUpdate(queries: Queries): Sql {
  return queries.dialect === 'postgres' ? clause : empty;
}

/** As `forUpdate`, for rows that are not going to be deleted: others may meanwhile write rows that name them. */
export function forChanges(queries: Queries): Sql {
  return queries.dialect === 'postgres' ? clauseForChanges : empty;
}

/** As `forUpdate`, but passes over rows that another transaction has locked. */
export function skipLocked(queries: Queries): Sql {
  return queries.dialect === 'postgres' ? clauseToShare : empty;
}
