import type { CollectionResult, RunError, RunStatus, RunTrigger, SourceRun } from '@gatehouse/contract';
import { ApiError } from '../../../base/api-error.ts';
import type { Timestamp } from '../../../base/clock.ts';

/** Identifies a list that a program uploads. */
export interface UploadedList {
  readonly collection: string;
  readonly list: string;
}

/** An uploaded list that a run applies. */
export interface ListToApply extends UploadedList {
  /** How many parts it has. */
  readonly parts: number;
  /** To recognize the last part when it is sent again. */
  readonly lastPartHash: string;
  /** The name of the collection. */
  readonly name: string;
}

/** The result of a collection as it is stored. */
export interface StoredResult extends CollectionResult {
  /** Identifies what is withheld from whom, if something is. */
  readonly lossesHash?: string | undefined;
}

export interface StoredRun {
  readonly id: string;
  readonly sourceId: string;
  readonly trigger: RunTrigger;
  readonly status: RunStatus;
  readonly dryRun: boolean;
  readonly removalsConfirmed: boolean;
  /** The run whose removals are confirmed; null if all are. */
  readonly confirmedRunId: string | null;
  readonly list: ListToApply | null;
  readonly dueAt: Timestamp | null;
  /** The number of consecutive failed runs before this one. */
  readonly failures: number;
  /** How often a process has begun it. */
  readonly claims: number;
  /** Whether it is the next attempt after the workspace could not be read. */
  readonly isRetry: boolean;
  readonly error: RunError | null;
  readonly collections: readonly StoredResult[];
  readonly groupsToDelete: SourceRun['groupsToDelete'];
  readonly createdAt: Timestamp;
  readonly startedAt: Timestamp | null;
  readonly endedAt: Timestamp | null;
}

/** A run that a process has claimed: plain data, which can be sent to a thread. */
export interface ClaimedRun {
  readonly siteId: string;
  readonly run: StoredRun;
  /** Identifies the claim. Each claim has its own, so that a process which loses a run and claims it again has it once. */
  readonly holder: string;
}

/** How many examples of each kind a result lists. */
export const maxListed = 20;

type Sample = CollectionResult['sample'];
type SkippedPeople = CollectionResult['skippedPeople'];
/** The people whom the results of a run name, by the key of the collection. */
export type SamplesByCollection = Readonly<Record<string, Sample>>;
type SkippedByCollection = Readonly<Record<string, SkippedPeople>>;

const emptySample: Sample = { added: [], removed: [] };

/** The results of a run as they are stored: without the people whom they name, who are stored beside them. */
export interface SplitResults {
  readonly results: readonly (Partial<StoredResult> & Omit<StoredResult, 'sample' | 'skippedPeople'>)[];
  /** Null if they name no one. */
  readonly samples: SamplesByCollection | null;
  readonly skipped: SkippedByCollection | null;
}

export function joinPeople({ results, samples, skipped }: SplitResults): StoredResult[] {
  const sampleOf = new Map(Object.entries(samples ?? {}));
  const skippedOf = new Map(Object.entries(skipped ?? {}));
  return results.map((result) => ({
    skippedPeople: [],
    sample: emptySample,
    ...result,
    ...(sampleOf.has(result.key) && { sample: sampleOf.get(result.key)! }),
    ...(skippedOf.has(result.key) && { skippedPeople: skippedOf.get(result.key)! }),
  }));
}

export function splitPeople(collections: readonly StoredResult[]): SplitResults {
  const sampled = collections.filter(({ sample }) => sample.added.length + sample.removed.length > 0);
  const skipping = collections.filter(({ skippedPeople }) => skippedPeople.length > 0);
  const samples: SamplesByCollection = Object.fromEntries(sampled.map(({ key, sample }) => [key, sample]));
  const skipped: SkippedByCollection = Object.fromEntries(
    skipping.map(({ key, skippedPeople }) => [key, skippedPeople]),
  );
  return {
    results: collections.map(({ skippedPeople: _, sample: __, ...result }) => result),
    samples: sampled.length === 0 ? null : samples,
    skipped: skipping.length === 0 ? null : skipped,
  };
}

export type RunCounts = SourceRun['counts'];

export const noCounts: RunCounts = {
  read: 0,
  created: 0,
  added: 0,
  changed: 0,
  removed: 0,
  withheld: 0,
  blocked: 0,
  skipped: 0,
  unreadable: 0,
};

const countNames = Object.keys(noCounts) as (keyof RunCounts)[];

/** The sum over the collections of a run. */
export function totalOf(collections: readonly RunCounts[]): RunCounts {
  const total = { ...noCounts };
  for (const each of collections) for (const name of countNames) total[name] += each[name];
  return total;
}

export function toSourceRun(run: StoredRun): SourceRun {
  const { id, sourceId, status, trigger, dryRun, collections, groupsToDelete, error } = run;
  const { createdAt, startedAt, endedAt } = run;
  const dueAt = status === 'waiting' && trigger === 'schedule' ? run.dueAt : null;
  return {
    id,
    sourceId,
    status,
    trigger,
    dryRun,
    counts: totalOf(collections),
    collections: collections.map(({ lossesHash: _, ...result }) => result),
    groupsToDelete,
    error,
    createdAt,
    dueAt,
    startedAt,
    endedAt,
  };
}

export function runNotFound(): ApiError {
  return new ApiError('source_run_not_found', 'This source has no run with this ID. Check both IDs.');
}
