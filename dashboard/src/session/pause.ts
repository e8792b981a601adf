/** The first pause before another attempt, and the maximum. Random, so that browsers do not all come back at once. */
const minMilliseconds = 1_000;
const maxMilliseconds = 30_000;

/** Waits longer after each failure. Ends early when the signal aborts or the browser is online again. */
export function pause(failures: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return Promise.resolve();
  const milliseconds = Math.min(minMilliseconds * 2 ** (failures + 1), maxMilliseconds);
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      window.removeEventListener('online', end);
      resolve();
    };
    const timer = setTimeout(end, (milliseconds / 2) * (1 + Math.random()));
    signal?.addEventListener('abort', end, { once: true });
    window.addEventListener('online', end, { once: true });
  });
}

/** Repeats a download until it succeeds, for parts of a page that must not replace the page if they fail. */
export async function untilLoaded<Loaded>(load: () => Promise<Loaded>): Promise<Loaded> {
  for (let failures = 0; ; failures++) {
    try {
      return await load();
    } catch {
      await pause(failures);
    }
  }
}
