import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import { type ResourceLimits, Worker } from 'node:worker_threads';
import type { Report } from '../../base/report.ts';
import { StoreUnavailable } from '../../storage/errors.ts';

// What the threads of a process have in common, on both sides.

/** Objects in a thread are small and short-lived; without a limit, V8 would use several times as much memory. */
const youngGenerationMebibytes = 8;
/** Gives the HTTP thread nine times the CPU weight of one that works, and that one seven times the weight of a list. */
const nicenesses = { work: 10, lists: 19 };

/** @param limits beyond which the thread ends with an error */
export function startWorker(entry: URL, workerData: unknown, limits: ResourceLimits = {}): Worker {
  return new Worker(entry, {
    workerData,
    resourceLimits: { ...limits, maxYoungGenerationSizeMb: youngGenerationMebibytes },
  });
}

/** A line of the log that a thread sends. */
export interface ThreadLog {
  readonly level: Parameters<Report>[0];
  readonly message: string;
  readonly facts: object;
}

/** An error as it is sent to another thread. */
export interface ThreadFault {
  readonly unavailable: boolean;
  readonly report: string;
}

export function faultOf(error: unknown): ThreadFault {
  const report = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { unavailable: error instanceof StoreUnavailable, report };
}

export function errorOf({ unavailable, report }: ThreadFault): Error {
  return unavailable ? new StoreUnavailable(report) : new Error(report);
}

/** Threads that compete for a core have different priorities. Linux identifies threads by their own ids. */
export function lowerPriority(kind: keyof typeof nicenesses): void {
  try {
    setPriority(Number(readlinkSync('/proc/thread-self').split('/').at(-1)), nicenesses[kind]);
  } catch {
    // Not Linux, or not permitted: everything works, only with less even response times.
  }
}
