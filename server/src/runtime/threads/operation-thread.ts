import type { Worker } from 'node:worker_threads';
import type { Metric } from '../../base/metrics/metric.ts';
import type { Report } from '../../base/report.ts';
import type { Tracing } from '../../base/traces/tracing.ts';
import { StoreUnavailable } from '../../storage/errors.ts';
import type { ActionCall, Call, CallResponse, CallRunner } from '../call.ts';
import type { MonitoringSettings } from '../monitoring.ts';
import type { ServiceSettings } from '../operation-runner.ts';
import { errorOf, startWorker, type ThreadFault, type ThreadLog } from './thread.ts';
import { type CollectRequest, type CollectResponse, ThreadMetrics } from './thread-metrics.ts';

/** After this time a caller receives `StoreUnavailable`, whatever the thread is doing. */
const deadlineMilliseconds = 13_000;
const sweepMilliseconds = 1_000;

export interface OperationThreadOptions<Background = unknown> {
  readonly databaseUrl: string;
  readonly settings: ServiceSettings;
  /** A reader opens the file read-only. */
  readonly role: 'writer' | 'reader';
  /** Settings of the background work, as the entry file of the thread expects them; plain data. */
  readonly background: Background | undefined;
  readonly monitoring: MonitoringSettings;
}

export interface ThreadRequest {
  readonly number: number;
  readonly call: Call | ActionCall;
  /** The span of the request, while traces are recorded. */
  readonly traceparent?: string | undefined;
}

export type ThreadResponse =
  | { readonly number: number; readonly response: CallResponse }
  | { readonly number: number; readonly fault: ThreadFault };

export type ToThread =
  | { readonly calls: readonly ThreadRequest[] }
  | CollectRequest
  | { readonly stop: true };
export type FromThread =
  | { readonly ready: true }
  | { readonly responses: readonly ThreadResponse[] }
  | CollectResponse
  | { readonly log: ThreadLog };

interface Pending {
  readonly deadline: number;
  resolve(response: CallResponse): void;
  reject(error: unknown): void;
}

/**
 * Runs calls in a separate thread, so that a write or a long search never delays other requests. Calls of one turn of
 * the event loop are sent in one message, and so are their responses.
 */
export class OperationThread implements CallRunner {
  readonly #worker: Worker;
  readonly #metrics: ThreadMetrics;
  readonly #tracing: Tracing | undefined;
  readonly #pending = new Map<number, Pending>();
  readonly #sweep: NodeJS.Timeout;
  readonly #exited: Promise<void>;
  #outgoing: ThreadRequest[] = [];
  #lastNumber = 0;

  /** Resolves when the thread runs calls. Earlier ones wait. Rejects if it cannot start. */
  readonly ready: Promise<void>;

  /**
   * Starts the thread.
   * @param entry the file that the thread runs; it calls `runOperationThread`
   * @param report called with what happens in the thread outside of calls
   * @param onFatal called when the thread has exited
   * @param tracing of the thread that sends the calls
   */
  constructor(
    entry: URL,
    options: OperationThreadOptions,
    report: Report,
    onFatal: (report: string) => void,
    tracing?: Tracing,
  ) {
    const worker = startWorker(entry, options);
    this.#worker = worker;
    this.#tracing = tracing;
    this.#metrics = new ThreadMetrics(options.role === 'writer' ? 'writer' : 'search', (request) =>
      worker.postMessage(request),
    );
    this.#exited = new Promise((resolve) => worker.once('exit', () => resolve()));
    this.ready = new Promise((resolve, reject) => {
      worker.once('error', reject);
      worker.on('message', (message: FromThread) => {
        if ('ready' in message) resolve();
      });
    });
    // Reported by `onFatal` too, perhaps before someone waits for it.
    this.ready.catch(() => {});
    worker.on('message', (message: FromThread) => {
      if ('responses' in message) for (const response of message.responses) this.#settle(response);
      if ('log' in message) report(message.log.level, message.log.message, message.log.facts);
      if ('collected' in message) this.#metrics.settle(message);
    });
    worker.on('error', (error) => {
      this.#rejectAll(error);
      onFatal(String((error as Error).stack ?? error));
    });
    this.#sweep = setInterval(() => this.#rejectOverdue(), sweepMilliseconds).unref();
  }

  run(call: Call | ActionCall): Promise<CallResponse> {
    return new Promise((resolve, reject) => {
      const number = ++this.#lastNumber;
      this.#pending.set(number, { deadline: performance.now() + deadlineMilliseconds, resolve, reject });
      this.#outgoing.push({ number, call, traceparent: this.#tracing?.traceparent() });
      if (this.#outgoing.length === 1) setImmediate(() => this.#send());
    });
  }

  /** What the thread has done. Its latest known metrics while it is busy. */
  metrics(): Promise<readonly Metric[]> {
    return this.#metrics.collect();
  }

  /** Stops the thread after it has finished the work it has begun. */
  async stop(): Promise<void> {
    clearInterval(this.#sweep);
    this.#send();
    this.#worker.postMessage({ stop: true } satisfies ToThread);
    await this.#exited;
  }

  #send(): void {
    if (this.#outgoing.length === 0) return;
    this.#worker.postMessage({ calls: this.#outgoing } satisfies ToThread);
    this.#outgoing = [];
  }

  #settle(response: ThreadResponse): void {
    const pending = this.#pending.get(response.number);
    if (!pending) return;
    this.#pending.delete(response.number);
    if ('response' in response) pending.resolve(response.response);
    else pending.reject(errorOf(response.fault));
  }

  #rejectOverdue(): void {
    const now = performance.now();
    for (const [number, pending] of this.#pending) {
      if (pending.deadline > now) return; // calls are stored in order of arrival
      this.#pending.delete(number);
      pending.reject(new StoreUnavailable(`The store took longer than ${deadlineMilliseconds} ms.`));
    }
  }

  #rejectAll(error: unknown): void {
    for (const pending of this.#pending.values()) pending.reject(error);
    this.#pending.clear();
  }
}
