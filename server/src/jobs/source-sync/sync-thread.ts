import type { Worker } from 'node:worker_threads';
import { threadEntry } from '../../base/installation.ts';
import type { Metric } from '../../base/metrics/metric.ts';
import { addCounts } from '../../base/metrics/sum.ts';
import type { Report } from '../../base/report.ts';
import { type Cancel, sleep, type Timers } from '../../base/timers.ts';
import type { WorkspaceSettings } from '../../connectors/workspaces.ts';
import type { ClaimedRun } from '../../domain/sources/runs/run.ts';
import type { MonitoringSettings } from '../../runtime/monitoring.ts';
import { errorOf, startWorker, type ThreadFault, type ThreadLog } from '../../runtime/threads/thread.ts';
import {
  type CollectRequest,
  type CollectResponse,
  ThreadMetrics,
} from '../../runtime/threads/thread-metrics.ts';

const defaultEntry = threadEntry('jobs/source-sync/sync-thread-entry');
/** An installation without sources should not pay for the memory of the thread. */
const maxIdleMilliseconds = 60_000;
const endMilliseconds = 1_000;

/** Plain data, which is passed to the thread. */
export interface SyncThreadOptions {
  readonly databaseUrl: string;
  readonly poolSize: number;
  readonly workspaces: WorkspaceSettings;
  readonly monitoring: MonitoringSettings;
}

export interface SyncRequest extends ClaimedRun {
  readonly number: number;
}

export type ToSyncThread =
  | { readonly run: SyncRequest }
  | { readonly release: number }
  | CollectRequest
  | { readonly end: true };
export type FromSyncThread =
  | { readonly ended: number; readonly fault?: ThreadFault }
  | CollectResponse
  | { readonly log: ThreadLog };

/**
 * Synchronizes sources in a separate thread with its own database connections, so that a large synchronization never
 * delays requests. The thread starts with the first run, and ends when there was none for a minute.
 */
export class SyncThread {
  readonly #options: SyncThreadOptions;
  readonly #report: Report;
  readonly #timers: Timers;
  readonly #entry: URL;
  #worker: SyncWorker | undefined;
  /** The counts of threads that have ended. */
  #ended: readonly Metric[] = [];
  #cancelEnd: Cancel | undefined;

  /**
   * @param report called with what happens in the thread outside of runs
   * @param entry the file that the thread runs
   */
  constructor(options: SyncThreadOptions, report: Report, timers: Timers, entry = defaultEntry) {
    this.#options = options;
    this.#report = report;
    this.#timers = timers;
    this.#entry = entry;
  }

  /**
   * Carries out a claimed run like `runSync`. If the thread ends meanwhile, the run fails here, and is continued by a
   * later claim.
   */
  async run(claimed: ClaimedRun, stopping: AbortSignal): Promise<void> {
    this.#cancelEnd?.();
    if (!this.#worker?.isAlive) this.#worker = new SyncWorker(this.#entry, this.#options, this.#report);
    const worker = this.#worker;
    try {
      await worker.run(claimed, stopping);
    } finally {
      if (worker === this.#worker && worker.isIdle) this.#endLater();
    }
  }

  /** What the thread has done, and those before it. */
  async metrics(): Promise<readonly Metric[]> {
    const worker = this.#worker;
    return [...this.#ended, ...(worker?.isAlive ? await worker.metrics() : [])];
  }

  /** Ends the thread. A run that has not ended by now is left to other processes. */
  async close(): Promise<void> {
    this.#cancelEnd?.();
    await this.#worker?.end(this.#timers);
  }

  #endLater(): void {
    this.#cancelEnd?.();
    this.#cancelEnd = this.#timers.after(maxIdleMilliseconds, () => {
      const worker = this.#worker;
      this.#worker = undefined;
      if (worker) void this.#end(worker);
    });
  }

  async #end(worker: SyncWorker): Promise<void> {
    const [metrics] = await Promise.all([worker.metrics(), worker.end(this.#timers)]);
    this.#ended = addCounts(this.#ended, metrics);
  }
}

/** One thread, from its start to its end. */
class SyncWorker {
  isAlive = true;
  readonly #worker: Worker;
  readonly #metrics: ThreadMetrics;
  readonly #running = new Map<number, PromiseWithResolvers<void>>();
  readonly #exited: Promise<void>;
  #lastNumber = 0;

  constructor(entry: URL, options: SyncThreadOptions, report: Report) {
    this.#worker = startWorker(entry, options);
    this.#metrics = new ThreadMetrics('sync', (request) => this.#send(request));
    this.#worker.on('message', (message: FromSyncThread) => {
      if ('log' in message) report(message.log.level, message.log.message, message.log.facts);
      else if ('collected' in message) this.#metrics.settle(message);
      else this.#settle(message.ended, message.fault && errorOf(message.fault));
    });
    this.#worker.on('error', (error) => this.#failAll(error));
    this.#exited = new Promise((resolve) => {
      this.#worker.once('exit', () => {
        this.#failAll(new Error('The thread of the synchronizations has ended.'));
        resolve();
      });
    });
  }

  get isIdle(): boolean {
    return this.#running.size === 0;
  }

  metrics(): Promise<readonly Metric[]> {
    return this.#metrics.collect();
  }

  async run(claimed: ClaimedRun, stopping: AbortSignal): Promise<void> {
    const number = ++this.#lastNumber;
    const ended = Promise.withResolvers<void>();
    this.#running.set(number, ended);
    const release = () => this.#send({ release: number });
    this.#send({ run: { number, ...claimed } });
    if (stopping.aborted) release();
    stopping.addEventListener('abort', release);
    await ended.promise.finally(() => stopping.removeEventListener('abort', release));
  }

  async end(timers: Timers): Promise<void> {
    this.#send({ end: true });
    await Promise.race([this.#exited, sleep(timers, endMilliseconds)]);
    await this.#worker.terminate();
  }

  #send(message: ToSyncThread): void {
    this.#worker.postMessage(message);
  }

  #settle(number: number, error: Error | undefined): void {
    const ended = this.#running.get(number);
    this.#running.delete(number);
    if (error) ended?.reject(error);
    else ended?.resolve();
  }

  #failAll(error: unknown): void {
    this.isAlive = false;
    for (const ended of this.#running.values()) ended.reject(error);
    this.#running.clear();
  }
}
