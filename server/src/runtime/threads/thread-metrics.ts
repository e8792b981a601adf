import { gauge, type Metric } from '../../base/metrics/metric.ts';
import { systemTimers, type Timers } from '../../base/timers.ts';
import type { ThreadName } from '../monitoring.ts';

/** A thread that is busy for longer is reported with its last metrics. */
const deadlineMilliseconds = 1_000;

/** The metrics of a thread as the main thread sees them. */
export class ThreadMetrics {
  readonly #thread: ThreadName;
  readonly #read: () => Promise<readonly Metric[]>;
  readonly #timers: Timers;
  #last: readonly Metric[] = [];

  /** @param read requests them from the thread */
  constructor(thread: ThreadName, read: () => Promise<readonly Metric[]>, timers: Timers = systemTimers) {
    this.#thread = thread;
    this.#read = read;
    this.#timers = timers;
  }

  /** Requests the metrics, and returns the last ones if the thread does not answer in time. */
  async collect(): Promise<readonly Metric[]> {
    const { promise: hasResponded, resolve } = Promise.withResolvers<boolean>();
    const cancel = this.#timers.after(deadlineMilliseconds, () => resolve(false));
    const settle = (metrics: readonly Metric[]) => {
      this.#last = metrics;
      resolve(true);
    };
    // A thread that has ended does not respond.
    this.#read().then(settle, () => resolve(false));
    const value = (await hasResponded) ? 1 : 0;
    cancel();
    const responded = gauge(
      'gatehouse_thread_responses',
      'Threads that have responded in time with their metrics.',
      [{ labels: { thread: this.#thread }, value }],
    );
    return [...this.#last, responded];
  }
}
