import { Counter } from '../base/metrics/counter.ts';
import { Histogram } from '../base/metrics/histogram.ts';
import { gauge, type Metric } from '../base/metrics/metric.ts';

/** From a purge without work to a long synchronization, in seconds. */
const bounds = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 1_800];

/** How a task or a piece of its work has ended. An outage concerns all tasks of the job. */
export type JobResult = 'done' | 'failed' | 'outage';

/** The state of one job in this process. */
export interface JobState {
  readonly job: string;
  /** Tasks that are due and wait for a slot. */
  readonly queued: number;
  readonly running: number;
  /** How long the first of the queued tasks has been waiting. */
  readonly oldestMilliseconds: number;
  readonly isPaused: boolean;
}

/** Counts the work of all jobs. */
export class JobMetrics {
  readonly #runs = new Counter(
    'gatehouse_job_runs_total',
    'Tasks of jobs, and pieces of them, that have ended in this process.',
  );
  readonly #durations = new Histogram(
    'gatehouse_job_duration_seconds',
    'Duration of the tasks of jobs and of their pieces.',
    bounds,
  );

  ended(job: string, result: JobResult, milliseconds: number): void {
    this.#runs.of({ job, result }).value += 1;
    this.#durations.of({ job }).observeMilliseconds(milliseconds);
  }

  collect(states: readonly JobState[]): readonly Metric[] {
    const each = (name: string, help: string, read: (state: JobState) => number) =>
      gauge(
        name,
        help,
        states.map((state) => ({ labels: { job: state.job }, value: read(state) })),
      );
    return [
      this.#runs.metric(),
      this.#durations.metric(),
      each('gatehouse_job_queued', 'Tasks that wait for a slot in this process.', ({ queued }) => queued),
      each('gatehouse_job_running', 'Tasks that run in this process.', ({ running }) => running),
      each(
        'gatehouse_job_queue_age_seconds',
        'Time for which the first of the queued tasks has been waiting in this process.',
        ({ oldestMilliseconds }) => oldestMilliseconds / 1_000,
      ),
      each('gatehouse_job_paused', '1 while a job waits for an outage to end.', ({ isPaused }) =>
        isPaused ? 1 : 0,
      ),
    ];
  }
}
