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
