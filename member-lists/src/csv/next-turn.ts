/** Resolves when other work of the event loop has had its turn, in Node and in browsers. */
export function nextTurn(): Promise<void> {
  // The timers of browsers wait at least a few milliseconds.
  return new Promise((resolve) => {
    if (typeof setImmediate === 'function') setImmediate(resolve);
    else setTimeout(resolve);
  });
}
