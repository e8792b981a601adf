/** Resolves with the signal that asks the program to stop. Until then the process keeps running. */
export function untilSignal(): Promise<NodeJS.Signals> {
  // The timers of the work that continues meanwhile do not keep the process running.
  const alive = setInterval(() => {}, 60_000);
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => {
        clearInterval(alive);
        resolve(signal);
      });
    }
  });
}
