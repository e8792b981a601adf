import type { RunError, RunStatus } from '@gatehouse/contract';
import { timestampAfter } from '../../base/clock.ts';
import type { Change } from '../../domain/events/change.ts';
import { totalOf } from '../../domain/sources/runs/run.ts';
import { endRun, planNextRun, releaseRun } from '../../domain/sources/runs/runs.ts';
import type { StoredSource } from '../../domain/sources/source/source.ts';
import { partsDeletedAtOnce } from '../../domain/sources/uploads/list-space.ts';
import { deleteListParts } from '../../domain/sources/uploads/list-uploads.ts';
import { WorkspaceUnavailable } from '../../domain/sources/workspaces/workspace.ts';
import { SourceTurnedOff, type SyncRun } from './sync-run.ts';

/**
 * Ends a run, and plans the next one. `random` is at least 0 and less than 1; `failure` is undefined if every collection
 * was processed.
 */
export async function endSync(sync: SyncRun, random: number, failure: unknown): Promise<void> {
  const { siteId, run, results: collections, groupsToDelete } = sync;
  const error = failure === undefined ? null : runErrorOf(failure);
  const status = stateOf(sync, error);
  const failed = findFailure(sync, error);
  const failures = failed ? run.failures + 1 : 0;
  await deleteAllButFirstParts(sync);
  await sync.end(async (change, holder) => {
    const { tx, at } = change;
    await endRun(tx, siteId, run.id, holder, { status, error, collections, groupsToDelete }, at);
    if (run.list) await deleteListParts(tx, siteId, run.sourceId, run.list, 0);
    if (run.dryRun) return;
    // A collection that cannot be read does not delay the others.
    const isRetry = failed !== undefined && failed === error;
    const pause = pauseBeforeNext(sync.source, isRetry ? failures : 0, retryAfterSecondsOf(failure), random);
    await planNextRun(tx, siteId, sync.source, { dueAt: timestampAfter(at, pause), failures, isRetry });
    recordEnd(change, sync, failed);
  });
}

/** A few in each transaction, while the run is still open and no other list can have the identifier. */
async function deleteAllButFirstParts(sync: SyncRun): Promise<void> {
  const { siteId, run } = sync;
  const { list, sourceId } = run;
  if (!list) return;
  for (let first = list.parts - partsDeletedAtOnce; first > 0; first -= partsDeletedAtOnce) {
    await sync.end(({ tx }) => deleteListParts(tx, siteId, sourceId, list, first));
  }
}

function runErrorOf(failure: unknown): RunError {
  if (failure instanceof WorkspaceUnavailable || failure instanceof SourceTurnedOff) {
    return { code: failure.code, message: failure.message };
  }
  return { code: 'internal', message: 'An internal error occurred. The log of the service has the details.' };
}

/** The first error that another attempt may not have. Missing collections, and changes by operators, are none. */
function findFailure({ results }: SyncRun, error: RunError | null): RunError | undefined {
  const errors = [error, ...results.map((result) => result.error)].filter((each) => each !== null);
  return errors.find(({ code }) => code !== 'not_found' && code !== 'stopped');
}

function retryAfterSecondsOf(failure: unknown): number {
  return failure instanceof WorkspaceUnavailable ? (failure.retryAfterSeconds ?? 0) : 0;
}

function stateOf({ results }: SyncRun, error: RunError | null): RunStatus {
  const errors = results.flatMap(({ error }) => (error ? [error.code] : []));
  if (error || errors.some((code) => code !== 'not_found')) return 'failed';
  return results.some(({ withheld }) => withheld > 0) ? 'confirmation_required' : 'succeeded';
}

/** An event only if something has changed, and only for the first of several failures. */
function recordEnd(change: Change, { source, run, results }: SyncRun, failed: RunError | undefined): void {
  const { created, added, changed, removed, withheld, blocked } = totalOf(results);
  const data = { sourceId: source.id, runId: run.id };
  if (failed) {
    if (run.failures === 0) change.record({ type: 'source.failed', data: { ...data, error: failed } });
  } else if (created + added + changed + removed + blocked > 0) {
    const counts = { created, added, changed, removed, withheld, blocked };
    change.record({ type: 'source.synced', data: { ...data, counts } });
  }
}

const firstRetryMilliseconds = 60_000;
const maxRetryMilliseconds = 6 * 60 * 60_000;

/** The time until the next run, with a jitter of ±10 %. After failures it begins short and doubles. */
function pauseBeforeNext(
  { intervalMinutes }: StoredSource,
  failures: number,
  retryAfterSeconds: number,
  random: number,
): number {
  const interval = intervalMinutes * 60_000;
  const retry = firstRetryMilliseconds * 2 ** Math.min(failures - 1, 20);
  const pause = failures === 0 ? interval : Math.min(retry, Math.max(interval, maxRetryMilliseconds));
  return Math.round(Math.max(pause * (0.9 + random / 5), retryAfterSeconds * 1_000));
}

/** Gatehouse stops: another process, or the next start, continues the run. @throws {LeaseLost} */
export async function giveBack(sync: SyncRun): Promise<void> {
  const { siteId, run } = sync;
  await sync.end(({ tx, at }, holder) => releaseRun(tx, siteId, run.id, holder, at));
}
