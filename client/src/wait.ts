export type Wait = (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>;

/** What timers take; beyond it they run out at once. */
export const longestTimerMilliseconds = 2 ** 31 - 1;

/** @throws the reason of the signal when it aborts */
export const wait: Wait = (milliseconds, signal) =>
  new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(
      () => {
        signal?.removeEventListener('abort', abort);
        resolve();
      },
      Math.min(milliseconds, longestTimerMilliseconds),
    );
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
