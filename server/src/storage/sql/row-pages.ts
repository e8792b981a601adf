import { setImmediate } from 'node:timers/promises';

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
