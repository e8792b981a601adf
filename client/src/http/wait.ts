export type Wait = (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>;

/** The maximum delay of timers; longer delays would end immediately. */
export const maxTimerMilliseconds = 2 ** 31 - 1;

/** @throws the reason of the signal if it aborts */
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
      Math.min(milliseconds, maxTimerMilliseconds),
    );
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
