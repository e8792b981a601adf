import type { Statement, Value } from '../sql/statement.ts';

/** Longer statements exist in many lengths; keeping all of them prepared would fill the server's memory. */
export const maximumPreparedParameters = 100;

/** The rows of one statement, when there are many. The server needs 300 kB for such a prepared statement. */
const rowsAtOnce = 100;

type InsertStatement = Omit<Statement, 'sql'>;

/**
 * The statements that insert rows, at least one, in their order. They do not use set-returning functions: across shards
 * they would need a two-phase commit.
 *
 * Many rows are inserted by statements of the same text, which PostgreSQL prepares. While it runs one, the next is
 * written. In all of them, a value that a column has in all rows is sent once: the rows of one change have the same site,
 * time and actor. It saves 12 % of a bulk create of 300 members (`bench/against.ts`, bulk with so many).
 */
export function insertStatements(
  table: string,
  columns: readonly string[],
  rows: readonly (readonly Value[])[],
  ending = '',
): InsertStatement[] {
  // The text of a short statement depends only on the number of rows.
  const isShort = rows.length * columns.length <= maximumPreparedParameters;
  const isCommon = columns.map(
    (_, column) => !isShort && rows.every((row) => row[column] === rows[0]![column]),
  );
  const statements = [];
  for (let start = 0; start < rows.length; start += rowsAtOnce) {
    const part = rows.slice(start, start + rowsAtOnce);
    const { tuples, values } = tuplesOf(part, isCommon);
    const text = `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${tuples} ${ending}`;
    statements.push({ text, values, isPrepared: isShort || part.length === rowsAtOnce });
  }
  return statements;
}

/** The rows as SQL, and the parameters in it. `isCommon` says of each column whether all rows have the same value. */
function tuplesOf(
  rows: readonly (readonly Value[])[],
  isCommon: readonly boolean[],
): { tuples: string; values: Value[] } {
  const values: Value[] = [];
  const parameterOf = (value: Value) => `$${values.push(value)}`;
  const common = isCommon.map((is, column) => (is ? parameterOf(rows[0]![column]!) : undefined));
  const tuples = rows.map(
    (row) => `(${common.map((parameter, column) => parameter ?? parameterOf(row[column]!)).join(',')})`,
  );
  return { tuples: tuples.join(','), values };
}
