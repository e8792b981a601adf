import { Histogram } from '../../base/metrics/histogram.ts';
import { gauge, type Metric } from '../../base/metrics/metric.ts';
import { addCounts } from '../../base/metrics/sum.ts';
import type { Cancel, Timers } from '../../base/timers.ts';
import { StoreUnavailable } from '../../storage/errors.ts';
import { type ActionCall, type Call, type CallResponse, type CallRunner, callerHasLeft } from '../call.ts';

/**
 * A thread has so many calls at a time that they are expected to take this long together. They share messages, and wait for
 * each other. With always 4, quick searches take 39 % more CPU time, with 1 twice as much; with always 32, the 99th percentile
 * of slow ones is 84 instead of 48 ms.
 */
const batchMilliseconds = 20;
const maxInThread = 32;
/** Before the first measurement. */
const expectedMilliseconds = 5;
/** The weight of the newest duration in the expected one. */
const newestWeight = 0.1;
/** When a call has waited for so long, another thread helps. */
const patienceMilliseconds = 100;
/** A thread that helped ends when there was no call for it for so long: it takes some 20 MiB. */
const maxIdleMilliseconds = 60_000;
/** A call that has waited for longer is rejected: its result would come too late. */
const maxWaitMilliseconds = 13_000;

/** A thread that can be stopped after its calls have ended. */
export interface SearchThread extends CallRunner {
  metrics(): Promise<readonly Metric[]>;
  stop(): Promise<void>;
}

interface WaitingCall {
  readonly call: Call | ActionCall;
  readonly isAwaited: () => boolean;
  readonly since: number;
  /** Not set while it is not yet clear that the call has to wait. */
  cancelRejection?: Cancel;
  resolve(response: CallResponse): void;
  reject(error: unknown): void;
}

/**
 * Runs searches in reading threads, so that a slow one delays few others. The first thread starts with the first search,
 * and another one when searches have to wait. A search whose caller has left before it begins is not run.
 */
export class SearchThreads implements CallRunner {
  readonly #start: () => SearchThread;
  readonly #maxThreads: number;
  readonly #timers: Timers;
  readonly #now: () => number;
  /** The threads, and how many calls each one has. */
  readonly #threads = new Map<SearchThread, number>();
  readonly #waiting: WaitingCall[] = [];
  /** How long a call is expected to take. */
  #expected = expectedMilliseconds;
  readonly #waits = new Histogram(
    'gatehouse_search_wait_seconds',
    'Time that searches have waited for a thread.',
  );
  readonly #wait = this.#waits.of({});
  /** The counts of threads that have ended. */
  #ended: readonly Metric[] = [];
  #cancelEnd = () => {};
  #cancelHelp: (() => void) | undefined;

  /** @param now the time in milliseconds, from any beginning */
  constructor(
    start: () => SearchThread,
    maxThreads: number,
    timers: Timers,
    now: () => number = () => performance.now(),
  ) {
    this.#start = start;
    this.#maxThreads = maxThreads;
    this.#timers = timers;
    this.#now = now;
  }

  run(call: Call | ActionCall, isAwaited: () => boolean = () => true): Promise<CallResponse> {
    return new Promise((resolve, reject) => {
      const waiting: WaitingCall = { call, isAwaited, since: this.#now(), resolve, reject };
      this.#waiting.push(waiting);
      if (this.#threads.size === 0) this.#threads.set(this.#start(), 0);
      this.#distribute();
      if (this.#waiting.at(-1) === waiting) this.#rejectLater(waiting);
    });
  }

  async metrics(): Promise<readonly Metric[]> {
    const threads = [...this.#threads.keys()];
    const running = [...this.#threads.values()].reduce((sum, count) => sum + count, 0);
    const collected = await Promise.all(threads.map((thread) => thread.metrics()));
    return [
      gauge('gatehouse_search_threads', 'Threads that run searches.', threads.length),
      gauge('gatehouse_search_running', 'Searches that a thread has.', running),
      gauge('gatehouse_search_waiting', 'Searches that wait for a thread.', this.#waiting.length),
      this.#waits.metric(),
      ...this.#ended,
      ...collected.flat(),
    ];
  }

  async stop(): Promise<void> {
    this.#cancelEnd();
    this.#cancelHelp?.();
    await Promise.all([...this.#threads.keys()].map((thread) => thread.stop()));
  }

  /** Gives the calls that wait to threads with room for them, first come, first served. */
  #distribute(): void {
    for (;;) {
      const [thread, count] = this.#leastBusy();
      if (this.#waiting.length === 0 || count >= this.#batchSize()) break;
      this.#begin(this.#waiting.shift()!, thread);
    }
    if (this.#waiting.length > 0 && this.#threads.size < this.#maxThreads) this.#helpLater();
  }

  #batchSize(): number {
    return Math.max(1, Math.min(maxInThread, Math.floor(batchMilliseconds / this.#expected)));
  }

  #leastBusy(): readonly [SearchThread, number] {
    return [...this.#threads].reduce((least, thread) => (thread[1] < least[1] ? thread : least));
  }

  #begin(waiting: WaitingCall, thread: SearchThread): void {
    const { call, isAwaited, since, resolve, reject } = waiting;
    // The timer would keep the request and its result in memory.
    waiting.cancelRejection?.();
    if (!isAwaited()) {
      resolve(callerHasLeft);
      return;
    }
    this.#count(thread, 1);
    const begun = this.#now();
    this.#wait.observeMilliseconds(begun - since);
    const together = this.#threads.get(thread) ?? 1;
    thread
      .run(call)
      .finally(() => {
        this.#count(thread, -1);
        const milliseconds = (this.#now() - begun) / together;
        this.#expected += (milliseconds - this.#expected) * newestWeight;
        this.#distribute();
        this.#endLater();
      })
      .then(resolve, reject);
  }

  #rejectLater(waiting: WaitingCall): void {
    waiting.cancelRejection = this.#timers.after(maxWaitMilliseconds, () => {
      this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
      waiting.reject(new StoreUnavailable('Too many searches were waiting.'));
    });
  }

  #count(thread: SearchThread, difference: number): void {
    const count = this.#threads.get(thread);
    if (count !== undefined) this.#threads.set(thread, count + difference);
  }

  #helpLater(): void {
    this.#cancelHelp ??= this.#timers.after(patienceMilliseconds, () => {
      this.#cancelHelp = undefined;
      const [first] = this.#waiting;
      if (first === undefined) return;
      if (this.#now() - first.since >= patienceMilliseconds) this.#threads.set(this.#start(), 0);
      this.#distribute();
    });
  }

  /** Ends all threads but the first when none of them had a call for a while. */
  #endLater(): void {
    this.#cancelEnd();
    if (this.#threads.size === 1) return;
    this.#cancelEnd = this.#timers.after(maxIdleMilliseconds, () => {
      for (const [thread, count] of [...this.#threads].slice(1)) {
        if (count > 0) continue;
        this.#threads.delete(thread);
        void this.#end(thread);
      }
    });
  }

  async #end(thread: SearchThread): Promise<void> {
    const [metrics] = await Promise.all([thread.metrics(), thread.stop()]);
    this.#ended = addCounts(this.#ended, metrics);
  }
}
