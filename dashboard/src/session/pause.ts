import { doublingPauses, pauseAfter } from '@gatehouse/contract/backoff';

const retries = doublingPauses(2_000, 30_000, [0.5, 1]);

/** Waits longer after each further failure. Ends early when the signal aborts or the browser is online again. */
export function pause(failures: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      window.removeEventListener('online', end);
      resolve();
    };
    const timer = setTimeout(end, pauseAfter(retries, failures + 1));
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
