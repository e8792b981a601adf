import { responseError, timeoutError } from '../../base/networks/outgoing-error.ts';
import type { Cancel, Timers } from '../../base/timers.ts';

export interface ExchangeLimits {
  /** Of the body of the response, as it is sent and decompressed. 10 MiB if left out. */
  readonly maxBytes?: number | undefined;
  /** For everything from the name to the last byte of the body, redirects included. 30 s if left out. */
  readonly timeoutMilliseconds?: number | undefined;
  /** Ends the request, or the body, with its reason. */
  readonly signal?: AbortSignal | null | undefined;
}

const defaultMaxBytes = 10 * 1024 * 1024;
const defaultTimeoutMilliseconds = 30_000;

/** A request with its redirects and the body of its response, which share their limits. */
export class Exchange {
  readonly maxBytes: number;
  readonly #controller = new AbortController();
  readonly #aborted: Promise<never>;
  readonly #cancelTimer: Cancel;
  readonly #stopFollowing: () => void;

  constructor({ maxBytes, timeoutMilliseconds, signal: callerSignal }: ExchangeLimits, timers: Timers) {
    this.maxBytes = maxBytes ?? defaultMaxBytes;
    this.#aborted = new Promise((_, reject) => {
      this.signal.addEventListener('abort', () => reject(this.signal.reason));
    });
    // It may be aborted while no one waits for it.
    this.#aborted.catch(() => {});
    this.#cancelTimer = timers.after(timeoutMilliseconds ?? defaultTimeoutMilliseconds, () =>
      this.abort(timeoutError()),
    );
    const follow = () => this.abort(callerSignal?.reason);
    callerSignal?.addEventListener('abort', follow);
    this.#stopFollowing = () => callerSignal?.removeEventListener('abort', follow);
    if (callerSignal?.aborted) follow();
  }

  /** Aborted with the error as its reason when the time is over, or when anything has failed. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Waits for a part of the exchange: a name or a connection cannot be aborted, but need not be waited for. */
  within<T>(work: Promise<T>): Promise<T> {
    return Promise.race([work, this.#aborted]);
  }

  /** To be called when everything was sent and read. */
  end(): void {
    this.#cancelTimer();
    this.#stopFollowing();
  }

  /** Closes the connection, if the response is not complete. */
  abort(reason: unknown): void {
    this.end();
    this.#controller.abort(reason);
  }

  /** What the caller gets for an error while `host` was responding. The caller's own reason is passed on as it is. */
  errorFor(error: unknown, host: string): unknown {
    return this.signal.aborted ? this.signal.reason : responseError(error, host);
  }
}
