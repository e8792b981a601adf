import type { RetrySchedule } from '@gatehouse/contract/backoff';
import type { Timestamp } from '../base/clock.ts';

/** Passed to a job when it starts a task. */
export interface TaskRun {
  /** The maximum number of pieces of work that the job may claim. */
  readonly slots: number;
  /** Aborted when Gatehouse stops; work that has not begun is then released. */
  readonly stopping: AbortSignal;
  /** Starts the task again after this delay. */
  restartAfter(milliseconds: number): void;
}

/** The result of starting a task. */
export interface Started {
  /** Claimed work that takes longer; each piece holds a slot until it ends. Omitted when all work is done. */
  readonly pieces?: readonly (() => Promise<void>)[];
  /** Whether the task may have more due work. */
  readonly more: boolean;
}

/**
 * Work outside of requests. It consists of tasks, each with a name: the id of a site, or a kind of rows. A job claims
 * all work in the store first, so that two processes may run the same task.
 */
export interface Job {
  readonly name: string;
  /** Logged with an error of the job. */
  readonly errorMessage: string;
  /** How often to look for work that the job was not woken for. */
  readonly sweepMilliseconds: number;
  /** The maximum number of pieces of work that run at the same time, over all tasks. */
  readonly concurrency: number;
  /** The maximum number of pieces that one start may claim. */
  readonly slotsPerTask: number;
  /** The pauses during an outage. */
  readonly backoff: RetrySchedule;
  /** The delay in milliseconds between waking the job for a task and starting it. Omitted for no delay. */
  readonly wakeDelay?: () => number;
  /**
   * Whether an error affects every task. All tasks then wait, except one that tests whether the outage is over. Omitted if
   * only an unavailable store does.
   */
  isOutage?(error: unknown): boolean;
  /** The tasks with due work, over all sites. */
  findDue(now: Timestamp): Promise<readonly string[]>;
  start(task: string, run: TaskRun): Promise<Started>;
  /** Aborts running work when stopping takes too long. */
  close?(): void;
}
