import type postgres from 'postgres';
import { compileRow, type ToRow } from '../row-object.ts';

/** The result of a statement, with the values of each row as an array. */
export type RowValues = postgres.ValuesRowList<postgres.Row[]>;

type Columns = postgres.ColumnList<string>;

/** The maximum number of different lists of columns; our statements have far fewer. */
const maxCompiled = 1_000;
const compiled = new Map<string, ToRow>();
/** The driver keeps one list of columns for each prepared statement. */
const ofStatement = new WeakMap<Columns, ToRow>();

/** Turns the values of each row into an object, in place. */
export function toObjects(result: RowValues): postgres.RowList<postgres.Row[]> {
  const rows = result as unknown as postgres.RowList<postgres.Row[]>;
  if (rows.length === 0) return rows;
  const toRow = rowOf(result.columns);
  for (let index = 0; index < rows.length; index += 1) rows[index] = toRow(rows[index]);
  return rows;
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
