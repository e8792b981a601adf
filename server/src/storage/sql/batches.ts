import { setImmediate } from 'node:timers/promises';

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

const rowsInPage = 1_000;

/** Rows in pages, one in each turn of the event loop. `select` returns up to `limit` rows that follow one. */
export async function* inPages<Row>(
  select: (after: Row | undefined, limit: number) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[], void, undefined> {
  for (let after: Row | undefined; ; ) {
    const rows = await select(after, rowsInPage);
    yield rows;
    if (rows.length < rowsInPage) return;
    after = rows.at(-1);
    await setImmediate();
  }
}
