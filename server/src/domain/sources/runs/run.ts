import type { CollectionResult, RunError, RunStatus, RunTrigger, SourceRun } from '@gatehouse/contract';
import { ApiError } from '../../../base/api-error.ts';
import type { Timestamp } from '../../../base/clock.ts';
import { toBoolean } from '../../../storage/database.ts';

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

export interface RunRow {
  id: string;
  source_id: string;
  trigger: string;
  status: string;
  dry_run: boolean | number;
  removals_confirmed: boolean | number;
  confirmed_run_id: string | null;
  list: string | null;
  due_at: Timestamp | null;
  failures: number;
  claims: number;
  is_retry: boolean | number;
  error: string | null;
  result: string;
  samples: string | null;
  skipped: string | null;
  groups_to_delete: string;
  created_at: Timestamp;
  started_at: Timestamp | null;
  ended_at: Timestamp | null;
}

export function toStoredRun(row: RunRow): StoredRun {
  return {
    id: row.id,
    sourceId: row.source_id,
    trigger: row.trigger as RunTrigger,
    status: row.status as RunStatus,
    dryRun: toBoolean(row.dry_run),
    removalsConfirmed: toBoolean(row.removals_confirmed),
    confirmedRunId: row.confirmed_run_id,
    list: row.list === null ? null : JSON.parse(row.list),
    dueAt: row.due_at,
    failures: row.failures,
    claims: row.claims,
    isRetry: toBoolean(row.is_retry),
    error: row.error === null ? null : JSON.parse(row.error),
    collections: joinPeople(row),
    groupsToDelete: JSON.parse(row.groups_to_delete),
    createdAt: row.created_at,
    startedAt: row.started_at,
    endedAt: row.ended_at,
  };
}

/** How many examples of each kind a result lists. */
export const maxListed = 20;

type Sample = CollectionResult['sample'];
type SkippedPeople = CollectionResult['skippedPeople'];
/** The people whom the results of a run name, by the key of the collection. */
export type SamplesByCollection = Readonly<Record<string, Sample>>;
type SkippedByCollection = Readonly<Record<string, SkippedPeople>>;

const emptySample: Sample = { added: [], removed: [] };

function joinPeople(row: Pick<RunRow, 'result' | 'samples' | 'skipped'>): StoredResult[] {
  const results: readonly (Partial<StoredResult> & Omit<StoredResult, 'sample' | 'skippedPeople'>)[] =
    JSON.parse(row.result);
  const samples = new Map(Object.entries<Sample>(JSON.parse(row.samples ?? '{}')));
  const skipped = new Map(Object.entries<SkippedPeople>(JSON.parse(row.skipped ?? '{}')));
  return results.map((result) => ({
    skippedPeople: [],
    sample: emptySample,
    ...result,
    ...(samples.has(result.key) && { sample: samples.get(result.key)! }),
    ...(skipped.has(result.key) && { skippedPeople: skipped.get(result.key)! }),
  }));
}

/** The results of a run without the people whom they name, and these people; undefined if they name no one. */
export function splitPeople(collections: readonly StoredResult[]) {
  const sampled = collections.filter(({ sample }) => sample.added.length + sample.removed.length > 0);
  const skipping = collections.filter(({ skippedPeople }) => skippedPeople.length > 0);
  const samples: SamplesByCollection = Object.fromEntries(sampled.map(({ key, sample }) => [key, sample]));
  const skipped: SkippedByCollection = Object.fromEntries(
    skipping.map(({ key, skippedPeople }) => [key, skippedPeople]),
  );
  return {
    results: collections.map(({ skippedPeople: _, sample: __, ...result }) => result),
    samples: sampled.length === 0 ? undefined : samples,
    skipped: skipping.length === 0 ? undefined : skipped,
  };
}

const countNames = [
  'read',
  'created',
  'added',
  'changed',
  'removed',
  'withheld',
  'blocked',
  'skipped',
  'unreadable',
] as const;

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
