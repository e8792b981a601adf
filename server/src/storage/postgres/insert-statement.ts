import type { Statement, Value } from '../statement.ts';

/** Longer statements exist in many lengths; keeping all of them prepared would fill the server's memory. */
export const maximumPreparedParameters = 100;

/**
 * One statement that inserts rows, at least one. It does not use set-returning functions: across shards they would need
 * a two-phase commit.
 *
 * In a long statement, a value that a column has in all rows is sent once: the rows of one change have the same site,
 * time and actor. A bulk create of 500 members takes a sixth less time, and the client a third less CPU time. The text
 * of a short statement depends only on the number of rows, because PostgreSQL prepares it.
 */
export function insertStatement(
  table: string,
  columns: readonly string[],
  rows: readonly (readonly Value[])[],
  ending = '',
): Omit<Statement, 'sql'> {
  const isShort = rows.length * columns.length <= maximumPreparedParameters;
  const values: Value[] = [];
  const shared = columns.map((_, column) => {
    const value = rows[0]![column]!;
    if (isShort || rows.some((row) => row[column] !== value)) return undefined;
    return `$${values.push(value)}`;
  });
  const tuples = rows.map(
    (row) => `(${shared.map((parameter, column) => parameter ?? `$${values.push(row[column]!)}`).join(',')})`,
  );
  const text = `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${tuples.join(',')} ${ending}`;
  return { text, values, isPrepared: isShort };
}
