import { gauge, type Metric } from '../../base/metrics/metric.ts';
import { systemTimers, type Timers } from '../../base/timers.ts';
import type { ThreadName } from '../monitoring.ts';

/** A thread that is busy for longer is reported with its last metrics. */
const deadlineMilliseconds = 1_000;

/** Asks a thread for its metrics. */
export interface CollectRequest {
  readonly collect: number;
}

export interface CollectResponse {
  readonly collected: number;
  readonly metrics: readonly Metric[];
}

/** The metrics of a thread as the main thread sees them. */
export class ThreadMetrics {
  readonly #thread: ThreadName;
  readonly #send: (request: CollectRequest) => void;
  readonly #timers: Timers;
  readonly #waiting = new Map<number, () => void>();
  #lastNumber = 0;
  #last: readonly Metric[] = [];

  /** @param send sends a message to the thread */
  constructor(thread: ThreadName, send: (request: CollectRequest) => void, timers: Timers = systemTimers) {
    this.#thread = thread;
    this.#send = send;
    this.#timers = timers;
  }

  /** Requests the metrics, and returns the last ones if the thread does not answer in time. */
  async collect(): Promise<readonly Metric[]> {
    const number = ++this.#lastNumber;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.#waiting.set(number, () => resolve(true));
    const cancel = this.#timers.after(deadlineMilliseconds, () => resolve(false));
    this.#send({ collect: number });
    const hasResponded = await promise;
    cancel();
    this.#waiting.delete(number);
    const responded = gauge(
      'gatehouse_thread_responses',
      'Threads that have responded in time with their metrics.',
      [{ labels: { thread: this.#thread }, value: hasResponded ? 1 : 0 }],
    );
    return [...this.#last, responded];
  }

  /** Called with the answer of the thread. */
  settle({ collected, metrics }: CollectResponse): void {
    this.#last = metrics;
    this.#waiting.get(collected)?.();
  }
}
