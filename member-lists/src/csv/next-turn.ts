/** A page that is busy for longer reacts late. */
const sliceMilliseconds = 20;

/** Resolves when other work of the event loop has had its turn, in Node and in browsers. */
export function nextTurn(): Promise<void> {
  // The timers of browsers wait at least a few milliseconds.
  return new Promise((resolve) => {
    if (typeof setImmediate === 'function') setImmediate(resolve);
    else setTimeout(resolve);
  });
}

/** The items one by one, with a turn for other work whenever their work has taken some milliseconds. */
export async function* inTurns<Item>(items: Iterable<Item>): AsyncGenerator<Item, void, undefined> {
  let start = performance.now();
  for (const item of items) {
    yield item;
    if (performance.now() - start < sliceMilliseconds) continue;
    await nextTurn();
    start = performance.now();
  }
}
