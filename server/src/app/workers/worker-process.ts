import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { doublingPauses, pauseAfter } from '@gatehouse/contract/backoff';
import type { ServiceLog } from '../log/service-log.ts';
import type { ReadyService } from '../start/announcement.ts';
import type { FromWorker, ToWorker, WorkerStart } from './worker-messages.ts';

/** After this time the end of a worker is a new failure, and no failed attempt to replace it. */
const stableMilliseconds = 60_000;
/** The pauses before a worker that has ended is replaced. */
const replacementPauses = doublingPauses(250, 30_000);

export interface WorkerParts {
  readonly start: Omit<WorkerStart, 'number' | 'isFirst'>;
  readonly log: ServiceLog;
  onMessage(worker: WorkerProcess, message: FromWorker): void;
  onEnd(worker: WorkerProcess): void;
}

/** One worker, and the processes that replace it when it has ended. */
export class WorkerProcess {
  readonly number: number;
  readonly #parts: WorkerParts;
  #process: Worker | undefined;
  #isReady = false;
  #isRetired = false;
  #failures = 0;
  #replacement: NodeJS.Timeout | undefined;

  constructor(number: number, parts: WorkerParts) {
    this.number = number;
    this.#parts = parts;
  }

  /** Whether it serves requests. */
  get isReady(): boolean {
    return this.#isReady;
  }

  /**
   * Starts a process. Resolves when it serves requests, or with the exit code of one that has ended before.
   * @param isFirst whether the service cannot start without it: then it is not replaced if it does not start
   */
  start(isFirst: boolean): Promise<ReadyService | number> {
    const { start, log, onMessage, onEnd } = this.#parts;
    const startedAt = performance.now();
    let worker: Worker;
    try {
      worker = cluster.fork();
    } catch (error) {
      return Promise.resolve(this.#failToStart(error, isFirst));
    }
    const outcome = Promise.withResolvers<ReadyService | number>();
    this.#process = worker;
    if (worker.process.stdout) createInterface({ input: worker.process.stdout }).on('line', log.write);
    // The system has no process, memory or file left for it, for example.
    worker.once('error', (error) => {
      if (worker.process.pid === undefined) outcome.resolve(this.#failToStart(error, isFirst));
      else log.logger.error({ err: error, worker: this.number }, 'a worker has an error');
    });
    worker.on('message', (message: FromWorker) => {
      if ('ready' in message) {
        this.#isReady = true;
        log.logger.info({ worker: this.number, pid: worker.process.pid }, 'the worker is ready');
        outcome.resolve(message.ready);
      }
      onMessage(this, message);
    });
    worker.once('exit', (code: number | null, signal: string | null) => {
      const hasServed = this.#isReady;
      this.#isReady = false;
      outcome.resolve(code ?? 1);
      onEnd(this);
      const end = { exitCode: code, signal };
      if (hasServed || !isFirst) this.#replaceLater(end, performance.now() - startedAt);
      else if (signal !== null) log.logger.error(end, 'the first worker was ended while it started');
    });
    this.send({ start: { ...start, number: this.number, isFirst } });
    return outcome.promise;
  }

  /** Does nothing if the process has ended. */
  send(message: ToWorker): void {
    if (this.#process?.isConnected()) this.#process.send(message, () => {});
  }

  /** From now on it is not replaced. */
  retire(): void {
    this.#isRetired = true;
    clearTimeout(this.#replacement);
  }

  /** Resolves when the process has ended and all that it has written was read. */
  async stop(): Promise<void> {
    this.retire();
    const worker = this.#process;
    if (worker === undefined || worker.isDead()) return;
    const closed = once(worker.process, 'close');
    this.send({ stop: true });
    const [code] = await closed;
    if (code !== 0) throw new Error(`The worker ${this.number} ended with ${code}.`);
  }

  #failToStart(error: unknown, isFirst: boolean): number {
    this.#parts.log.logger.error({ err: error, worker: this.number }, 'a worker could not be started');
    if (!isFirst) this.#replaceLater({ exitCode: null, signal: null }, 0);
    return 1;
  }

  #replaceLater(end: { exitCode: number | null; signal: string | null }, livedMilliseconds: number): void {
    if (this.#isRetired) return;
    const { log } = this.#parts;
    this.#failures = livedMilliseconds < stableMilliseconds ? this.#failures + 1 : 1;
    const milliseconds = pauseAfter(replacementPauses, this.#failures);
    const { number: worker } = this;
    log.logger.warn({ worker, ...end, replacedInMilliseconds: milliseconds }, 'a worker has ended');
    this.#replacement = setTimeout(() => void this.start(false), milliseconds);
  }
}
