import { setImmediate } from 'node:timers/promises';

/** A few milliseconds of work. */
const itemsInChunk = 500;

/**
 * The items in chunks, one in each turn of the event loop. A collection may have a million people, and SQLite answers
 * without waiting, so that nothing else in its thread would be done until the last one.
 */
export async function* inChunks<Item>(items: Iterable<Item>): AsyncGenerator<Item[], void, undefined> {
  let part: Item[] = [];
  for (const item of items) {
    part.push(item);
    if (part.length < itemsInChunk) continue;
    yield part;
    part = [];
    await setImmediate();
  }
  if (part.length > 0) yield part;
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
