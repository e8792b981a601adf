import type { Clock } from '../base/clock.ts';
import type { Metric } from '../base/metrics/metric.ts';
import { sleep, type Timers } from '../base/timers.ts';
import type { Tracing } from '../base/traces/tracing.ts';
import type { Database } from '../storage/database.ts';
import type { Job } from './job.ts';
import { JobLeases } from './job-leases.ts';
import { JobMetrics } from './job-metrics.ts';
import { JobQueue, type OnError } from './job-queue.ts';
import { JobSweep } from './job-sweep.ts';

const stopMilliseconds = 4_000;
const releaseMilliseconds = 1_000;

export interface JobRunnerParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly onError: OnError;
  readonly tracing?: Tracing | undefined;
}

interface RunningJob {
  readonly job: Job;
  readonly queue: JobQueue;
  readonly sweep: JobSweep;
}

/**
 * Runs jobs: immediately when a job is woken, and at intervals for work that no process was woken for. An idle process
 * only reads at each interval what is due, over all sites, and writes nothing.
 */
export class JobRunner {
  readonly #jobs: ReadonlyMap<string, RunningJob>;
  readonly #timers: Timers;
  readonly #metrics = new JobMetrics();

  constructor(jobs: readonly Job[], { database, clock, timers, onError, tracing }: JobRunnerParts) {
    const leases = new JobLeases(database, clock);
    this.#timers = timers;
    this.#jobs = new Map(
      jobs.map((job) => {
        const queue = new JobQueue(job, { timers, onError, metrics: this.#metrics, tracing });
        const sweep = new JobSweep(job, queue, { leases, clock, timers, onError });
        return [job.name, { job, queue, sweep }];
      }),
    );
  }

  start(): void {
    for (const { sweep } of this.#jobs.values()) sweep.start();
  }

  /** Called when a task of a job may be due. */
  wake(job: string, task: string): void {
    this.#jobs.get(job)!.queue.wake(task);
  }

  metrics(): readonly Metric[] {
    return this.#metrics.collect([...this.#jobs.values()].map(({ queue }) => queue.state()));
  }

  /** Resolves when nothing is running. Delayed work stays delayed. */
  async idle(): Promise<void> {
    for (const { sweep } of this.#jobs.values()) await sweep.idle();
    for (const { queue } of this.#jobs.values()) await queue.idle();
  }

  /**
   * Finishes running work and starts no more. Work that takes longer than a few seconds is aborted and left to other
   * processes.
   */
  async stop(): Promise<void> {
    for (const { queue, sweep } of this.#jobs.values()) {
      sweep.stop();
      queue.stop();
    }
    await this.#waitFor(stopMilliseconds, this.idle());
    for (const { job } of this.#jobs.values()) job.close?.();
    const release = async () => {
      await this.idle();
      for (const { sweep } of this.#jobs.values()) await sweep.release();
    };
    await this.#waitFor(releaseMilliseconds, release());
  }

  async #waitFor(milliseconds: number, work: Promise<void>): Promise<void> {
    await Promise.race([work, sleep(this.#timers, milliseconds)]);
  }
}
