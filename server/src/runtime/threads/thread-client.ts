import { Worker } from 'node:worker_threads';
import type { Metric } from '../../base/metrics/metric.ts';
import type { Report } from '../../base/report.ts';
import { sleep, type Timers } from '../../base/timers.ts';
import { StoreUnavailable } from '../../storage/errors.ts';
import type { ThreadName } from '../monitoring.ts';
import { sendTogether } from './send-together.ts';
import {
  errorOf,
  type FromThread,
  type ThreadCall,
  type ThreadResult,
  type ToThread,
} from './thread-messages.ts';
import { ThreadMetrics } from './thread-metrics.ts';

/** Objects in a thread are small and short-lived; without a limit, V8 would use several times as much memory. */
const youngGenerationMebibytes = 8;
const sweepMilliseconds = 1_000;
const endMilliseconds = 1_000;

export interface ThreadOptions {
  /** The file that the thread runs; it calls `serveCalls`. */
  readonly entry: URL;
  /** Names the thread in errors: "The thread that reads lists". */
  readonly description: string;
  /** Plain data for the thread. */
  readonly settings?: unknown;
  /** The thread ends with an error if its objects need more memory. */
  readonly maxHeapMebibytes?: number;
  /** Called with what happens in the thread outside of calls; by default, this thread warns of it. */
  readonly report?: Report;
  /** Called when the thread ends although nobody has stopped it. */
  readonly onCrash?: (error: Error) => void;
  /** Calls of one turn of the event loop are sent in one message. Without it, each one is sent at once. */
  readonly isBatched?: boolean;
  /** After this time a call is rejected with `StoreUnavailable`, whatever the thread is doing. */
  readonly deadlineMilliseconds?: number;
  /** The name of a thread with metrics. */
  readonly monitoredAs?: ThreadName;
}

export interface CallOptions {
  /** Aborts the call. A batched one that was not sent yet is rejected with the reason, and never sent. */
  readonly signal?: AbortSignal;
  /** Buffers in the input that the thread gets instead of copies. */
  readonly transferred?: readonly ArrayBuffer[];
}

/** What a call of the table `Calls`, functions of one value by name, takes and returns. Both are plain data. */
export type Input<Call> = Call extends (input: infer Value) => unknown ? Value : never;
export type Output<Call> = Call extends (input: never) => infer Value ? Awaited<Value> : never;

interface Pending {
  readonly deadline: number;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/** A thread, from its start to its end, and the calls that wait for its results. */
export class ThreadClient<Calls> {
  /** False when the thread has ended. */
  isAlive = true;
  readonly #options: ThreadOptions;
  readonly #worker: Worker;
  readonly #metrics: ThreadMetrics | undefined;
  readonly #pending = new Map<number, Pending>();
  readonly #started = Promise.withResolvers<void>();
  readonly #exited: Promise<void>;
  readonly #sweep: NodeJS.Timeout | undefined;
  #outgoing: ThreadCall[] = [];
  #lastNumber = 0;
  #isStopping = false;

  constructor(options: ThreadOptions) {
    this.#options = options;
    const {
      entry,
      description,
      settings: workerData,
      maxHeapMebibytes,
      deadlineMilliseconds,
      monitoredAs,
    } = options;
    const resourceLimits = {
      maxYoungGenerationSizeMb: youngGenerationMebibytes,
      ...(maxHeapMebibytes !== undefined && { maxOldGenerationSizeMb: maxHeapMebibytes }),
    };
    this.#worker = new Worker(entry, { workerData, resourceLimits });
    this.#metrics = monitoredAs && new ThreadMetrics(monitoredAs, () => this.#enqueue('metrics', undefined));
    this.#worker.on('message', (message: FromThread) => this.#receive(message));
    this.#worker.on('error', (error) => this.#fail(error as Error));
    this.#exited = new Promise((resolve) => {
      this.#worker.once('exit', () => {
        this.#fail(new Error(`${description} has ended.`));
        resolve();
      });
    });
    // A failure is reported by `onCrash` too, perhaps before someone waits for it.
    this.#started.promise.catch(() => {});
    if (deadlineMilliseconds !== undefined) {
      this.#sweep = setInterval(() => this.#rejectOverdue(), sweepMilliseconds).unref();
    }
  }

  /** Resolves when the thread runs calls. Earlier ones wait. Rejects if it cannot start. */
  get ready(): Promise<void> {
    return this.#started.promise;
  }

  /** Runs a call in the thread. Rejects with its error, and if the thread ends or has ended. */
  call<Name extends string & keyof Calls>(
    name: Name,
    input: Input<Calls[Name]>,
    options: CallOptions = {},
  ): Promise<Output<Calls[Name]>> {
    return this.#enqueue(name, input, options);
  }

  /** What the thread has done; its latest known metrics while it is busy. */
  async metrics(): Promise<readonly Metric[]> {
    return (await this.#metrics?.collect()) ?? [];
  }

  /** Ends the thread after it has finished the calls that it has begun. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#send();
    this.#post({ end: 'drain' });
    await this.#exited;
  }

  /** Aborts the calls, and ends the thread, after a second in any case. */
  async abort(timers: Timers): Promise<void> {
    this.#isStopping = true;
    this.#post({ end: 'abort' });
    await Promise.race([this.#exited, sleep(timers, endMilliseconds)]);
    await this.#worker.terminate();
  }

  #enqueue<Value>(name: string, input: unknown, { signal, transferred }: CallOptions = {}): Promise<Value> {
    const { description, isBatched, deadlineMilliseconds = Infinity } = this.#options;
    if (!this.isAlive) return Promise.reject(new Error(`${description} has ended.`));
    const number = ++this.#lastNumber;
    const { promise, resolve, reject } = Promise.withResolvers<Value>();
    const deadline = performance.now() + deadlineMilliseconds;
    this.#pending.set(number, { deadline, resolve: resolve as Pending['resolve'], reject });
    this.#outgoing.push({ number, name, input });
    if (!isBatched) this.#send(transferred);
    else if (this.#outgoing.length === 1) setImmediate(() => this.#send());
    return signal ? this.#abortable(number, promise, signal) : promise;
  }

  #abortable<Value>(number: number, result: Promise<Value>, signal: AbortSignal): Promise<Value> {
    const abort = () => {
      const rest = this.#outgoing.filter((call) => call.number !== number);
      if (rest.length === this.#outgoing.length) this.#post({ abort: number });
      else this.#consume(number)?.reject(signal.reason);
      this.#outgoing = rest;
    };
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort);
    return result.finally(() => signal.removeEventListener('abort', abort));
  }

  #send(transferred: readonly ArrayBuffer[] = []): void {
    const calls = this.#outgoing;
    this.#outgoing = [];
    if (calls.length === 0) return;
    sendTogether(
      calls,
      (some) => this.#post({ calls: some }, transferred),
      ({ number }, error) => this.#consume(number)?.reject(error),
    );
  }

  #post(message: ToThread, transferred: readonly ArrayBuffer[] = []): void {
    this.#worker.postMessage(message, transferred);
  }

  #receive(message: FromThread): void {
    if ('results' in message) for (const result of message.results) this.#settle(result);
    else if ('log' in message) (this.#options.report ?? warn)(...message.log);
    else this.#started.resolve();
  }

  #settle(result: ThreadResult): void {
    const pending = this.#consume(result.number);
    if ('value' in result) pending?.resolve(result.value);
    else pending?.reject(errorOf(result.fault));
  }

  #consume(number: number): Pending | undefined {
    const pending = this.#pending.get(number);
    this.#pending.delete(number);
    return pending;
  }

  #rejectOverdue(): void {
    const now = performance.now();
    for (const [number, pending] of this.#pending) {
      if (pending.deadline > now) return; // calls are stored in order of arrival
      this.#pending.delete(number);
      const { deadlineMilliseconds } = this.#options;
      pending.reject(new StoreUnavailable(`The store took longer than ${deadlineMilliseconds} ms.`));
    }
  }

  /** The thread has ended, or is about to because of an error. */
  #fail(error: Error): void {
    if (!this.isAlive) return;
    this.isAlive = false;
    clearInterval(this.#sweep);
    this.#started.reject(error);
    for (const pending of this.#pending.values()) pending.reject(error);
    this.#pending.clear();
    if (!this.#isStopping) this.#options.onCrash?.(error);
  }
}

/** The log gets the warnings of this thread. */
function warn(...[, message]: Parameters<Report>): void {
  process.emitWarning(message);
}
