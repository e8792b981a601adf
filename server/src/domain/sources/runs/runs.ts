import type { RunTrigger, SourceRun, SyncSource } from '@gatehouse/contract';
import { millisecondsPerDay, type Timestamp, timestampBefore } from '../../../base/clock.ts';
import { newId, timeOfId } from '../../../base/ids.ts';
import { type Page, toPage } from '../../../base/page.ts';
import type { Queries, Transaction } from '../../../storage/database.ts';
import type { SiteData } from '../../../storage/site-view.ts';
import { invalidCursor } from '../../cursors/cursor-tombstones.ts';
import type { Change } from '../../events/change.ts';
import { lockSource } from '../source/locked-source.ts';
import { type StoredSource, sourceIsUploaded, sourceNotFound } from '../source/source.ts';
import { selectSource } from '../source/source-store.ts';
import { type ListToApply, runNotFound, type StoredRun, toSourceRun, toStoredRun } from './run.ts';
import {
  deleteRuns,
  erasePeopleOfRuns,
  insertRun,
  selectOpenRuns,
  selectRun,
  selectRuns,
  selectRunsEndedBefore,
  selectRunsWithOldPeople,
} from './run-store.ts';

export interface NewRun {
  readonly trigger: RunTrigger;
  readonly dryRun?: boolean;
  readonly removalsConfirmed?: boolean;
  readonly confirmedRunId?: string;
  readonly isRetry?: boolean;
  readonly list?: ListToApply;
}

/** Before every other time, so that clocks which differ do not delay a run. */
const immediately: Timestamp = new Date(0).toISOString();

/** Requests a run, at a time or as soon as possible. The source must be locked. */
export async function requestRun(
  change: Change,
  source: StoredSource,
  run: NewRun,
  dueAt = immediately,
): Promise<SourceRun> {
  return toSourceRun(await addRun(change, source.id, { ...run, dueAt }));
}

/**
 * Requests a run as soon as possible, unless the same one is waiting.
 * @throws {ApiError} `source_not_found`, `source_is_uploaded`, `source_run_not_found`
 */
export async function requestSync(
  change: Change,
  sourceId: string,
  { dryRun = false, confirmRemovals = false, confirmedRunId }: SyncSource,
): Promise<SourceRun> {
  const source = await lockSource(change, sourceId);
  if (source.type === 'program') throw sourceIsUploaded();
  if (confirmedRunId !== undefined && !(await selectRun(change, sourceId, confirmedRunId))) {
    throw runNotFound();
  }
  const waiting = (await selectOpenRuns(change, sourceId))
    .map(toStoredRun)
    .find(
      (run) =>
        run.status === 'waiting' &&
        run.trigger === 'request' &&
        run.dryRun === dryRun &&
        run.removalsConfirmed === confirmRemovals &&
        run.confirmedRunId === (confirmedRunId ?? null),
    );
  if (waiting) return toSourceRun(waiting);
  return requestRun(change, source, {
    trigger: 'request',
    dryRun,
    removalsConfirmed: confirmRemovals,
    ...(confirmedRunId !== undefined && { confirmedRunId: confirmedRunId }),
  });
}

/** A run that waits for its time. */
export interface WaitingRun extends NewRun {
  readonly dueAt: Timestamp;
  readonly failures?: number;
}

export async function addRun(
  view: SiteData<Transaction>,
  sourceId: string,
  planned: WaitingRun,
): Promise<StoredRun> {
  const id = newId();
  const run: StoredRun = {
    id,
    sourceId,
    trigger: planned.trigger,
    status: 'waiting',
    dryRun: planned.dryRun ?? false,
    removalsConfirmed: planned.removalsConfirmed ?? false,
    confirmedRunId: planned.confirmedRunId ?? null,
    list: planned.list ?? null,
    dueAt: planned.dueAt,
    failures: planned.failures ?? 0,
    claims: 0,
    isRetry: planned.isRetry ?? false,
    error: null,
    collections: [],
    groupsToDelete: [],
    createdAt: timeOfId(id),
    startedAt: null,
    endedAt: null,
  };
  await insertRun(view, run);
  return run;
}

/** Undefined if it does not exist any more. */
export async function findStoredRun(
  view: SiteData,
  sourceId: string,
  runId: string,
): Promise<StoredRun | undefined> {
  const row = await selectRun(view, sourceId, runId);
  return row && toStoredRun(row);
}

/** @throws {ApiError} `source_not_found`, `source_run_not_found` */
export async function findRun(view: SiteData, sourceId: string, runId: string): Promise<SourceRun> {
  if (!(await selectSource(view, sourceId))) throw sourceNotFound();
  const row = await selectRun(view, sourceId, runId);
  if (!row) throw runNotFound();
  return toSourceRun(toStoredRun(row));
}

export interface RunQuery {
  readonly after?: string;
  readonly limit: number;
}

/** Lists the runs of a source, newest first. @throws {ApiError} `source_not_found`, `invalid_cursor` */
export async function listRuns(
  view: SiteData,
  sourceId: string,
  { after, limit }: RunQuery,
): Promise<Page<SourceRun>> {
  if (!(await selectSource(view, sourceId))) throw sourceNotFound();
  if (after !== undefined && !(await selectRun(view, sourceId, after))) throw invalidCursor();
  const rows = await selectRuns(view, sourceId, after, limit + 1);
  return toPage(rows, limit, (row) => toSourceRun(toStoredRun(row)));
}

const runRetentionDays = 90;

/** A few runs that are too old to be kept, over all sites. */
export function findOldRuns(
  db: Queries,
  now: Timestamp,
  limit: number,
): Promise<{ site_id: string; id: string }[]> {
  return selectRunsEndedBefore(db, timestampBefore(now, runRetentionDays * millisecondsPerDay), limit);
}

export async function purgeRuns(change: Change, runs: readonly { readonly id: string }[]): Promise<void> {
  await deleteRuns(
    change,
    runs.map(({ id }) => id),
  );
}

const namedPeopleDays = 7;

/** A few runs that have named people for long enough, over all sites. */
export function findRunsWithOldPeople(
  db: Queries,
  now: Timestamp,
  limit: number,
): Promise<{ site_id: string; id: string }[]> {
  return selectRunsWithOldPeople(db, timestampBefore(now, namedPeopleDays * millisecondsPerDay), limit);
}

export function purgePeopleOfRuns(change: Change, runs: readonly { readonly id: string }[]): Promise<void> {
  return erasePeopleOfRuns(
    change,
    runs.map(({ id }) => id),
  );
}

export {
  selectFirstDueTime as findFirstDueRunTime,
  selectNextDueTime as findNextRunTime,
  selectSitesWithDueRuns as findSitesWithDueRuns,
} from './run-store.ts';
