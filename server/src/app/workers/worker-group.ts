import cluster from 'node:cluster';
import { fileURLToPath } from 'node:url';
import { threadEntry } from '../../base/installation.ts';
import { GroupCounter } from '../../http/shared/limits/group-limits.ts';
import type { ServiceLog } from '../log/service-log.ts';
import type { ReadyService } from '../start/announcement.ts';
import type { FromWorker } from './worker-messages.ts';
import { type WorkerParts, WorkerProcess } from './worker-process.ts';

const entry = threadEntry('app/workers/worker-entry');

/**
 * The workers that serve requests, from their primary process. It counts for their rate limits, and decides which of
 * them does the background work: another one when that has ended.
 */
export class WorkerGroup {
  readonly #log: ServiceLog;
  readonly #workers: readonly WorkerProcess[];
  readonly #counter = new GroupCounter();
  #jobs: WorkerProcess | undefined;
  #isStopping = false;

  constructor(start: WorkerParts['start'], log: ServiceLog) {
    this.#log = log;
    // Their log passes through this process, so that no line is torn.
    cluster.setupPrimary({
      exec: fileURLToPath(entry),
      args: [],
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    });
    const parts: WorkerParts = {
      start,
      log,
      onMessage: (worker, message) => this.#receive(worker, message),
      onEnd: (worker) => this.#moveJobsFrom(worker),
    };
    const numbers = Array.from({ length: start.settings.workers }, (_, index) => index + 1);
    this.#workers = numbers.map((number) => new WorkerProcess(number, parts));
  }

  get isStopping(): boolean {
    return this.#isStopping;
  }

  /**
   * Starts the first worker, which prepares the store, and then the others. Resolves when each has started or failed to,
   * with what the first has created; with its exit code if it has ended instead.
   */
  async start(): Promise<ReadyService | number> {
    const [first, ...others] = this.#workers;
    const ready = await first!.start(true);
    if (typeof ready === 'object' && !this.#isStopping) {
      await Promise.all(others.map((worker) => worker.start(false)));
    }
    return ready;
  }

  /** Lets all workers drain. Returns false if none serves requests. */
  drain(): boolean {
    for (const worker of this.#workers) {
      worker.retire();
      worker.send({ drain: true });
    }
    return this.#workers.some(({ isReady }) => isReady);
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await Promise.all(this.#workers.map((worker) => worker.stop()));
  }

  #receive(worker: WorkerProcess, message: FromWorker): void {
    if ('count' in message) {
      void this.#counter.count(message.count).then((counted) => worker.send({ counted }));
    } else if ('wake' in message) {
      // If no worker has the jobs now, the next one finds the work when it starts.
      this.#jobs?.send(message);
    } else if (this.#jobs === undefined) this.#giveJobsTo(worker);
  }

  #moveJobsFrom(ended: WorkerProcess): void {
    if (ended !== this.#jobs) return;
    this.#jobs = undefined;
    const next = this.#workers.find(({ isReady }) => isReady);
    if (next === undefined || this.#isStopping) return;
    this.#log.logger.info({ worker: next.number }, 'another worker continues the background work');
    this.#giveJobsTo(next);
  }

  #giveJobsTo(worker: WorkerProcess): void {
    this.#jobs = worker;
    worker.send({ runJobs: true });
  }
}
