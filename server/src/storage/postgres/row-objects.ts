import type postgres from 'postgres';
import { compileRow, type ToRow } from '../sql/row-object.ts';

/** The result of a statement, with the values of each row as an array. */
export type RowValues = postgres.ValuesRowList<postgres.Row[]>;

type Columns = postgres.ColumnList<string>;

/** The maximum number of different lists of columns; our statements have far fewer. */
const maxCompiled = 1_000;
const compiled = new Map<string, ToRow>();
/** The driver keeps one list of columns for each prepared statement. */
const ofStatement = new WeakMap<Columns, ToRow>();

/** The rows of a statement. */
export interface QueryResult {
  readonly rows: postgres.Row[];
  /** How many rows were returned or changed. */
  readonly count: number;
  /** The name of the command, such as `SELECT`. */
  readonly command: string;
}

/**
 * Takes the rows out of a result, as objects. Results of the driver are often collected much later than they could be,
 * and the rows in them too (decision 0034).
 */
export function consumeResult(result: RowValues): QueryResult {
  const { count, command } = result;
  const rows = result.length === 0 ? [] : result.map(rowOf(result.columns));
  result.length = 0;
  return { rows, count, command };
}

function rowOf(columns: Columns): ToRow {
  let toRow = ofStatement.get(columns);
  if (toRow === undefined) {
    const names = columns.map(({ name }) => name);
    const key = names.join('\n');
    if (compiled.size >= maxCompiled) compiled.clear();
    toRow = compiled.get(key) ?? compileRow(names);
    compiled.set(key, toRow);
    ofStatement.set(columns, toRow);
  }
  return toRow;
}
