import { empty, raw, type Sql } from 'sql-template-tag';
import type { Queries } from './database.ts';

const clause = raw('FOR UPDATE');

/** Ends a SELECT: locks the rows it finds until the transaction ends. SQLite has one writer and needs no word for it. */
export function forUpdate(queries: Queries): Sql {
  return queries.dialect === 'postgres' ? clause : empty;
}
