import type { Clock } from '../base/clock.ts';
import type { Cancel, Timers } from '../base/timers.ts';
import type { Job } from './job.ts';
import { type JobLeases, leaseMilliseconds } from './job-leases.ts';
import type { JobQueue, OnError } from './job-queue.ts';

export interface JobSweepParts {
  readonly leases: JobLeases;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly onError: OnError;
}

/**
 * Finds work that this process was not woken for: left by an earlier run or by a process that is gone, or newly due.
 * Takes the lease of the job only if there is such work, and releases it when the work is done.
 */
export class JobSweep {
  readonly #job: Job;
  readonly #queue: JobQueue;
  readonly #parts: JobSweepParts;
  /** The tasks found, while the lease is held. */
  #found: readonly string[] = [];
  #next: Cancel | undefined;
  #renewal: Cancel | undefined;
  #running: Promise<void> | undefined;
  #stopped = false;

  constructor(job: Job, queue: JobQueue, parts: JobSweepParts) {
    this.#job = job;
    this.#queue = queue;
    this.#parts = parts;
  }

  /** Looks for work now and then at each interval. */
  start(): void {
    this.#run(async () => this.#startIn((await this.#sweep()) ?? this.#job.sweepMilliseconds));
  }

  /** Resolves when no sweep is running. */
  async idle(): Promise<void> {
    while (this.#running) await this.#running;
  }

  /** Ends the sweeps. The lease is held until `release`. */
  stop(): void {
    this.#stopped = true;
    this.#next?.();
    this.#renewal?.();
  }

  /** Releases the lease, if it is held. */
  async release(): Promise<void> {
    if (this.#found.length === 0) return;
    this.#found = [];
    await this.#parts.leases.release(this.#job.name).catch((error) => this.#parts.onError(this.#job, error));
  }

  #startIn(milliseconds: number): void {
    if (!this.#stopped) this.#next = this.#parts.timers.after(milliseconds, () => this.start());
  }

  /**
   * Puts due tasks into the queue. Returns the delay in milliseconds until the next sweep, or undefined for the
   * default.
   */
  async #sweep(): Promise<number | undefined> {
    const { leases, clock } = this.#parts;
    if (this.#queue.isPaused) return undefined;
    try {
      const found = await this.#job.findDue(clock().toISOString());
      if (found.length === 0 || this.#stopped) return undefined;
      const end = await leases.acquire(this.#job.name);
      if (end !== undefined) return this.#untilEnd(end);
      this.#found = found;
      for (const task of found) this.#queue.add(task);
      this.#renewal ??= this.#renewLater();
    } catch (error) {
      this.#parts.onError(this.#job, error);
    }
    return undefined;
  }

  /** Another process is doing the work. If it is gone, its lease ends soon. */
  #untilEnd(end: string): number {
    const left = Date.parse(end) - this.#parts.clock().getTime();
    return Math.min(Math.max(left, 0) + 1_000, this.#job.sweepMilliseconds);
  }

  #renewLater(): Cancel {
    return this.#parts.timers.after(leaseMilliseconds / 4, () => this.#run(() => this.#renewOrRelease()));
  }

  /** Releases the lease during an outage, because another process may not be affected. */
  async #renewOrRelease(): Promise<void> {
    this.#renewal = undefined;
    if (this.#stopped) return;
    if (this.#queue.isPaused || !this.#queue.has(this.#found)) return this.release();
    try {
      if ((await this.#parts.leases.acquire(this.#job.name)) !== undefined) this.#found = [];
    } catch (error) {
      this.#parts.onError(this.#job, error);
    }
    if (this.#found.length > 0 && !this.#stopped) this.#renewal = this.#renewLater();
  }

  #run(work: () => Promise<void>): void {
    const before = this.#running;
    const done = (async () => {
      await before;
      await work();
    })().finally(() => {
      if (this.#running === done) this.#running = undefined;
    });
    this.#running = done;
  }
}
