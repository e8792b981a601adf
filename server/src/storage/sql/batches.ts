/** The maximum number of ids or email addresses in one statement. */
const valuesPerStatement = 500;

/** Runs a statement for values in sequential batches. Returns all rows. */
export async function inBatches<Value, Row>(
  values: readonly Value[],
  run: (batch: Value[]) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (let start = 0; start < values.length; start += valuesPerStatement) {
    rows.push(...(await run(values.slice(start, start + valuesPerStatement))));
  }
  return rows;
}
