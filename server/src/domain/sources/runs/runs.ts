import type { RunTrigger, SourceRun, SyncSource } from '@gatehouse/contract';
import { millisecondsPerDay, type Timestamp, timestampAfter, timestampBefore } from '../../../base/clock.ts';
import { newId, timeOfId } from '../../../base/ids.ts';
import { type Page, toPage } from '../../../base/page.ts';
import type { Queries, Transaction } from '../../../storage/database.ts';
import { invalidCursor } from '../../cursors/cursor-tombstones.ts';
import type { Change } from '../../events/change.ts';
import { lockSource } from '../source/locked-source.ts';
import { type StoredSource, sourceIsUploaded, sourceNotFound } from '../source/source.ts';
import { lockSourceRow, selectSource } from '../source/source-store.ts';
import {
  type ListToApply,
  type RunRow,
  runNotFound,
  type StoredRun,
  toSourceRun,
  toStoredRun,
} from './run.ts';
import {
  deleteRuns,
  deleteWaitingRuns,
  erasePeopleOfRuns,
  insertRun,
  selectDueRuns,
  selectOpenRuns,
  selectRun,
  selectRuns,
  selectRunsEndedBefore,
  selectRunsWithOldPeople,
  startRun,
} from './run-store.ts';

/** After this time a run whose process is gone is continued by another one. */
export const runLeaseMilliseconds = 60_000;

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

/** Asks for a run, at a time or as soon as possible. The source must be locked. */
export async function requestRun(
  change: Change,
  source: StoredSource,
  run: NewRun,
  dueAt = immediately,
): Promise<SourceRun> {
  return toSourceRun(await addRun(change.tx, change.siteId, source.id, run, dueAt, 0));
}

/** How the next run of a source is planned. */
export interface NextRun {
  readonly dueAt: Timestamp;
  readonly failures: number;
  /** Whether the workspace could not be read. Nothing that it reports lets it be read again before that time. */
  readonly isRetry: boolean;
}

/**
 * Plans the next run of a source after one has ended, unless its settings were changed during that run and a run
 * follows them. The source must be locked.
 */
export async function planNextRun(
  tx: Transaction,
  siteId: string,
  source: StoredSource,
  { dueAt, failures, isRetry }: NextRun,
): Promise<void> {
  if (!isScheduled(source)) return;
  if (isRetry) await deleteWaitingRuns(tx, siteId, source.id, ['change']);
  if ((await selectOpenRuns(tx, siteId, source.id)).some(waitsForItsTime)) return;
  await addRun(tx, siteId, source.id, { trigger: 'schedule', isRetry }, dueAt, failures);
}

/** Plans a run after the settings of a source have changed. The source must be locked. */
export async function followSchedule({ tx, siteId, at }: Change, source: StoredSource): Promise<void> {
  await deleteWaitingRuns(tx, siteId, source.id, source.enabled ? ['schedule'] : ['schedule', 'change']);
  if (isScheduled(source)) await addRun(tx, siteId, source.id, { trigger: 'schedule' }, at, 0);
}

function isScheduled({ enabled, type }: StoredSource): boolean {
  return enabled && type !== 'program';
}

function waitsForItsTime({ status, trigger }: RunRow): boolean {
  return status === 'waiting' && trigger === 'schedule';
}

/**
 * Asks for a run as soon as possible, unless the same one is waiting.
 * @throws {ApiError} `source_not_found`, `source_is_uploaded`, `source_run_not_found`
 */
export async function requestSync(
  change: Change,
  sourceId: string,
  { dryRun = false, confirmRemovals = false, confirmedRun }: SyncSource,
): Promise<SourceRun> {
  const { tx, siteId } = change;
  const source = await lockSource(tx, siteId, sourceId);
  if (source.type === 'program') throw sourceIsUploaded();
  if (confirmedRun !== undefined && !(await selectRun(tx, siteId, sourceId, confirmedRun))) {
    throw runNotFound();
  }
  const waiting = (await selectOpenRuns(tx, siteId, sourceId))
    .map(toStoredRun)
    .find(
      (run) =>
        run.status === 'waiting' &&
        run.trigger === 'request' &&
        run.dryRun === dryRun &&
        run.removalsConfirmed === confirmRemovals &&
        run.confirmedRunId === (confirmedRun ?? null),
    );
  if (waiting) return toSourceRun(waiting);
  return requestRun(change, source, {
    ...{ trigger: 'request', dryRun, removalsConfirmed: confirmRemovals },
    ...(confirmedRun !== undefined && { confirmedRunId: confirmedRun }),
  });
}

/** Changes in a workspace usually come in groups, and one run is enough for all of them. */
const pauseAfterChangeMilliseconds = 5_000;

/**
 * Plans a run because the workspace reports a change, unless one is planned or the source is turned off. A workspace that
 * could not be read is not read before the next attempt.
 */
export async function requestRunAfterChange(change: Change, source: StoredSource): Promise<void> {
  const { tx, siteId, at } = change;
  if (!source.enabled) return;
  const open = (await selectOpenRuns(tx, siteId, source.id)).map(toStoredRun);
  const isPlanned = open.some(
    ({ status, trigger, isRetry }) => status === 'waiting' && (trigger === 'change' || isRetry),
  );
  if (isPlanned) return;
  await requestRun(change, source, { trigger: 'change' }, timestampAfter(at, pauseAfterChangeMilliseconds));
}

async function addRun(
  tx: Transaction,
  siteId: string,
  sourceId: string,
  { trigger, dryRun = false, removalsConfirmed = false, confirmedRunId, isRetry = false, list }: NewRun,
  dueAt: Timestamp,
  failures: number,
): Promise<StoredRun> {
  const id = newId();
  const run: StoredRun = {
    ...{ id, sourceId, trigger, status: 'waiting', dryRun, removalsConfirmed },
    ...{ confirmedRunId: confirmedRunId ?? null, list: list ?? null, dueAt, failures, claims: 0, isRetry },
    ...{ error: null, collections: [], groupsToDelete: [] },
    ...{ createdAt: timeOfId(id), startedAt: null, endedAt: null },
  };
  await insertRun(tx, siteId, run);
  return run;
}

/**
 * Takes the next due run of a site for a process. Of each source at most one run is taken at a time, by whichever
 * process; a run whose process is gone comes first.
 * @param ofSource the only source whose runs are taken
 */
export async function claimRun(
  tx: Transaction,
  siteId: string,
  holder: string,
  now: Timestamp,
  ofSource?: string,
): Promise<StoredRun | undefined> {
  for (const row of await selectDueRuns(tx, siteId, now, 20, ofSource)) {
    const source = await lockSourceRow(tx, siteId, row.source_id);
    if (!source) continue;
    const open = (await selectOpenRuns(tx, siteId, row.source_id)).map(toStoredRun);
    const running = open.find(({ status }) => status === 'running');
    const run = running ?? open.find(({ id }) => id === row.id);
    if (!run || run.dueAt === null || run.dueAt > now) continue;
    const failures = await failuresBefore(tx, siteId, run, open);
    await startRun(tx, siteId, run.id, holder, now, timestampAfter(now, runLeaseMilliseconds), failures);
    return { ...run, status: 'running', startedAt: run.startedAt ?? now, failures, claims: run.claims + 1 };
  }
  return undefined;
}

/**
 * The number of failed runs before a run that begins. It takes the place of the planned one, which may be the next
 * attempt after a failure, and plans the next one itself.
 */
async function failuresBefore(
  tx: Transaction,
  siteId: string,
  run: StoredRun,
  open: readonly StoredRun[],
): Promise<number> {
  // A run that another process has begun: what is planned since then follows a change of the settings.
  if (run.status === 'running' || run.list !== null || run.dryRun) return run.failures;
  await deleteWaitingRuns(tx, siteId, run.sourceId, ['schedule'], run.id);
  return Math.max(...open.map(({ failures }) => failures));
}

/** Undefined if it does not exist any more. */
export async function findStoredRun(
  db: Queries,
  siteId: string,
  sourceId: string,
  runId: string,
): Promise<StoredRun | undefined> {
  const row = await selectRun(db, siteId, sourceId, runId);
  return row && toStoredRun(row);
}

/** @throws {ApiError} `source_not_found`, `source_run_not_found` */
export async function findRun(
  db: Queries,
  siteId: string,
  sourceId: string,
  runId: string,
): Promise<SourceRun> {
  if (!(await selectSource(db, siteId, sourceId))) throw sourceNotFound();
  const row = await selectRun(db, siteId, sourceId, runId);
  if (!row) throw runNotFound();
  return toSourceRun(toStoredRun(row));
}

export interface RunQuery {
  readonly after?: string;
  readonly limit: number;
}

/** Lists the runs of a source, newest first. @throws {ApiError} `source_not_found`, `invalid_cursor` */
export async function listRuns(
  db: Queries,
  siteId: string,
  sourceId: string,
  { after, limit }: RunQuery,
): Promise<Page<SourceRun>> {
  if (!(await selectSource(db, siteId, sourceId))) throw sourceNotFound();
  if (after !== undefined && !(await selectRun(db, siteId, sourceId, after))) throw invalidCursor();
  const rows = await selectRuns(db, siteId, sourceId, after, limit + 1);
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

export async function purgeRuns(
  { tx, siteId }: Change,
  runs: readonly { readonly id: string }[],
): Promise<void> {
  await deleteRuns(
    tx,
    siteId,
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

export function purgePeopleOfRuns(
  { tx, siteId }: Change,
  runs: readonly { readonly id: string }[],
): Promise<void> {
  return erasePeopleOfRuns(
    tx,
    siteId,
    runs.map(({ id }) => id),
  );
}

export {
  endRun,
  releaseRun,
  selectFirstDueTime as findFirstDueRunTime,
  selectNextDueTime as findNextRunTime,
  selectSitesWithDueRuns as findSitesWithDueRuns,
  updateRunProgress as renewRun,
} from './run-store.ts';
