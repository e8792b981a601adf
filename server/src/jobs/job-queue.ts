import { pauseAfter } from '@gatehouse/contract/backoff';
import type { Cancel, Timers } from '../base/timers.ts';
import { inSpan, type Tracing } from '../base/traces/tracing.ts';
import { StoreUnavailable } from '../storage/errors.ts';
import type { Job } from './job.ts';
import type { JobMetrics, JobResult, JobState } from './job-metrics.ts';

/** Called with the error of a single task, or with the error that starts an outage. */
export type OnError = (job: Job, error: unknown) => void;

export interface JobQueueParts {
  readonly timers: Timers;
  readonly onError: OnError;
  readonly metrics: JobMetrics;
  readonly tracing?: Tracing | undefined;
}

/** The tasks of one job that may be due in this process, and those that are running. */
export class JobQueue {
  readonly #job: Job;
  readonly #timers: Timers;
  readonly #onError: OnError;
  readonly #metrics: JobMetrics;
  readonly #tracing: Tracing | undefined;
  /** The queued tasks, with the time since when by `performance.now()`, in the order in which they are started. */
  readonly #ready = new Map<string, number>();
  readonly #starting = new Set<string>();
  /** The number of running pieces of each task. */
  readonly #pieces = new Map<string, number>();
  /** Tasks that the job was woken for, until their delay has passed. */
  readonly #delayed = new Set<string>();
  readonly #running = new Set<Promise<void>>();
  readonly #stopping = new AbortController();
  #usedSlots = 0;
  #failures = 0;
  #pause: Cancel | undefined;

  constructor(job: Job, { timers, onError, metrics, tracing }: JobQueueParts) {
    this.#job = job;
    this.#timers = timers;
    this.#onError = onError;
    this.#metrics = metrics;
    this.#tracing = tracing;
  }

  /** Called when a task may be due. Cheap; may be called often. */
  wake(task: string): void {
    const delay = this.#job.wakeDelay?.();
    if (delay === undefined) {
      this.add(task);
    } else if (!this.#delayed.has(task)) {
      this.#delayed.add(task);
      this.#timers.after(delay, () => {
        this.#delayed.delete(task);
        this.add(task);
      });
    }
  }

  /** Starts a task as soon as a slot is free. */
  add(task: string): void {
    this.#enqueue(task);
    this.#startNext();
  }

  state(): JobState {
    const { done, value: since } = this.#ready.values().next();
    return {
      job: this.#job.name,
      queued: this.#ready.size,
      running: new Set([...this.#starting, ...this.#pieces.keys()]).size,
      oldestMilliseconds: done ? 0 : performance.now() - since,
      isPaused: this.isPaused,
    };
  }

  /** Whether the job is waiting for an outage to end. */
  get isPaused(): boolean {
    return this.#pause !== undefined;
  }

  /** Whether any of these tasks is queued or running. */
  has(tasks: readonly string[]): boolean {
    return tasks.some((task) => this.#ready.has(task) || this.#starting.has(task) || this.#pieces.has(task));
  }

  /** Resolves when nothing is running. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  /** Starts no more work. */
  stop(): void {
    this.#stopping.abort();
    this.#pause?.();
  }

  #startNext(): void {
    while (!this.#stopping.signal.aborted && !this.isPaused) {
      // During an outage, a single piece of work tests whether it is over.
      const free = (this.#failures > 0 ? 1 : this.#job.concurrency) - this.#usedSlots;
      const task = this.#ready.keys().find((each) => !this.#starting.has(each));
      if (task === undefined || free <= 0) return;
      this.#ready.delete(task);
      this.#starting.add(task);
      const slots = Math.min(free, this.#job.slotsPerTask);
      this.#usedSlots += slots;
      this.#track(this.#start(task, slots));
    }
  }

  async #start(task: string, slots: number): Promise<void> {
    let unused = slots;
    const startedAt = performance.now();
    try {
      const { pieces, more } = await this.#trace('start', () =>
        this.#job.start(task, {
          slots,
          stopping: this.#stopping.signal,
          restartAfter: (milliseconds) => this.#addLater(task, milliseconds),
        }),
      );
      this.#count('done', startedAt);
      for (const piece of pieces ?? []) this.#track(this.#runPiece(task, piece));
      unused -= pieces?.length ?? 0;
      if (!pieces) this.#endOutage();
      if (more) this.#enqueue(task);
    } catch (error) {
      this.#fail(task, error, startedAt);
    } finally {
      this.#starting.delete(task);
      this.#free(unused);
    }
  }

  async #runPiece(task: string, piece: () => Promise<void>): Promise<void> {
    this.#pieces.set(task, (this.#pieces.get(task) ?? 0) + 1);
    const startedAt = performance.now();
    try {
      await this.#trace('piece', piece);
      this.#count('done', startedAt);
      this.#endOutage();
    } catch (error) {
      this.#fail(task, error, startedAt);
    } finally {
      const left = this.#pieces.get(task)! - 1;
      if (left > 0) this.#pieces.set(task, left);
      else this.#pieces.delete(task);
      this.#free(1);
    }
  }

  /** Each task and each piece is a trace of its own. */
  #trace<T>(part: 'start' | 'piece', work: () => Promise<T>): Promise<T> {
    const tracing = this.#tracing;
    if (!tracing) return work();
    const facts = { name: `job ${this.#job.name}`, attributes: { 'gatehouse.part': part } };
    return tracing.continue(undefined, () => inSpan(tracing, facts, work));
  }

  #count(result: JobResult, startedAt: number): void {
    this.#metrics.ended(this.#job.name, result, performance.now() - startedAt);
  }

  #enqueue(task: string): void {
    if (!this.#ready.has(task)) this.#ready.set(task, performance.now());
  }

  #free(slots: number): void {
    this.#usedSlots -= slots;
    this.#startNext();
  }

  /** Later times are left to the sweep. */
  #addLater(task: string, milliseconds: number): void {
    if (milliseconds < this.#job.sweepMilliseconds) this.#timers.after(milliseconds, () => this.add(task));
  }

  /** A task that fails alone is found again by the next sweep. */
  #fail(task: string, error: unknown, startedAt: number): void {
    const isOutage = this.#job.isOutage?.(error) ?? error instanceof StoreUnavailable;
    this.#count(isOutage ? 'outage' : 'failed', startedAt);
    if (isOutage) this.#failAll(task, error);
    else this.#onError(this.#job, error);
  }

  #failAll(task: string, error: unknown): void {
    this.#enqueue(task);
    if (this.isPaused || this.#stopping.signal.aborted) return;
    this.#onError(this.#job, error);
    this.#beginPause();
  }

  #beginPause(): void {
    this.#failures += 1;
    this.#pause = this.#timers.after(pauseAfter(this.#job.backoff, this.#failures), () => {
      this.#pause = undefined;
      this.#startNext();
    });
  }

  #endOutage(): void {
    this.#pause?.();
    this.#pause = undefined;
    this.#failures = 0;
  }

  #track(work: Promise<void>): void {
    const done = work.finally(() => this.#running.delete(done));
    this.#running.add(done);
  }
}
