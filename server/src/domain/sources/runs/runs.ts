import type { RunTrigger, SourceRun, SyncSource } from '@gatehouse/contract';
import type { Timestamp } from '../../../base/clock.ts';
import { newId, timeOfId } from '../../../base/ids.ts';
import { type Page, type PageQuery, toPage } from '../../../base/page.ts';
import type { Transaction } from '../../../storage/database.ts';
import type { SiteData } from '../../../storage/site-view.ts';
import { invalidCursor } from '../../cursors/cursor-tombstones.ts';
import type { Change } from '../../events/change.ts';
import { lockSource } from '../source/locked-source.ts';
import { type StoredSource, sourceIsUploaded, sourceNotFound } from '../source/source.ts';
import { selectSource } from '../source/source-store.ts';
import { type ListToApply, runNotFound, type StoredRun, toSourceRun } from './run.ts';
import { insertRun, selectOpenRuns, selectRun, selectRuns } from './run-store.ts';

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
  const waiting = (await selectOpenRuns(change, sourceId)).find(
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

/** @throws {ApiError} `source_not_found`, `source_run_not_found` */
export async function findRun(view: SiteData, sourceId: string, runId: string): Promise<SourceRun> {
  if (!(await selectSource(view, sourceId))) throw sourceNotFound();
  const run = await selectRun(view, sourceId, runId);
  if (!run) throw runNotFound();
  return toSourceRun(run);
}

/** Lists the runs of a source, newest first. @throws {ApiError} `source_not_found`, `invalid_cursor` */
export async function listRuns(
  view: SiteData,
  sourceId: string,
  { after, limit }: PageQuery,
): Promise<Page<SourceRun>> {
  if (!(await selectSource(view, sourceId))) throw sourceNotFound();
  if (after !== undefined && !(await selectRun(view, sourceId, after))) throw invalidCursor();
  const rows = await selectRuns(view, sourceId, after, limit + 1);
  return toPage(rows, limit, toSourceRun);
}

export {
  findOldRuns,
  findRunsWithOldPeople,
  purgePeopleOfRuns,
  purgeRuns,
  selectFirstDueTime as findFirstDueRunTime,
  selectNextDueTime as findNextRunTime,
  selectRun as findStoredRun,
  selectSitesWithDueRuns as findSitesWithDueRuns,
} from './run-store.ts';
