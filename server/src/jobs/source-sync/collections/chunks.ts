import { setImmediate } from 'node:timers/promises';

/** A few milliseconds of work. */
const itemsInChunk = 500;

/**
 * The items in chunks, one in each turn of the event loop. A collection may have a million people, and SQLite answers
 * without waiting, so that nothing else in its thread would be done until the last one.
 */
export async function* inChunks<Item>(items: Iterable<Item>): AsyncGenerator<Item[], void, undefined> {
  let chunk: Item[] = [];
  for (const item of items) {
    chunk.push(item);
    if (chunk.length < itemsInChunk) continue;
    yield chunk;
    chunk = [];
    await setImmediate();
  }
  if (chunk.length > 0) yield chunk;
}
