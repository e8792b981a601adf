import type { RunError } from '@gatehouse/contract';
import type { Change } from '../../../domain/events/change.ts';
import { nextRunAfter, planNextRun } from '../../../domain/sources/runs/next-run.ts';
import { totalOf } from '../../../domain/sources/runs/run.ts';
import { endRun, releaseRun } from '../../../domain/sources/runs/run-lease.ts';
import { outcomeOf, type RunOutcome } from '../../../domain/sources/runs/run-outcome.ts';
import { partsDeletedAtOnce } from '../../../domain/sources/uploads/list-space.ts';
import { deleteListParts } from '../../../domain/sources/uploads/list-uploads.ts';
import { WorkspaceUnavailable } from '../../../domain/sources/workspaces/workspace.ts';
import { SourceTurnedOff } from './interruptions.ts';
import type { SyncRun } from './sync-run.ts';

/**
 * Ends a run, and plans the next one, in one transaction.
 * @param failure undefined if every collection was processed
 * @param random at least 0 and less than 1
 * @throws {LeaseLost}
 */
export async function endSync(sync: SyncRun, failure: unknown, random: number): Promise<void> {
  const { siteId, run, results, lease } = sync;
  const { collections, groupsToDelete } = results;
  const retryAfterSeconds = failure instanceof WorkspaceUnavailable ? failure.retryAfterSeconds : undefined;
  const outcome = outcomeOf(collections, runErrorOf(failure), retryAfterSeconds);
  await deleteAllButFirstParts(sync);
  await lease.changeEvenIfInterrupted(async (change, claimed) => {
    const { db, now } = change;
    await endRun(db, claimed, { outcome, collections, groupsToDelete }, now);
    if (run.list) await deleteListParts({ db, siteId }, { sourceId: run.sourceId, ...run.list }, 0);
    if (run.dryRun) return;
    await planNextRun(
      { db, siteId },
      lease.source,
      nextRunAfter(run, lease.source, outcome, { at: now, random }),
    );
    recordEnd(change, sync, outcome);
  });
}

/** Gatehouse stops: another process, or the next start, continues the run. @throws {LeaseLost} */
export async function releaseSync({ lease }: SyncRun): Promise<void> {
  await lease.changeEvenIfInterrupted(({ db, now }, claimed) => releaseRun(db, claimed, now));
}

/** A few in each transaction, while the run is still open and no other list can have the identifier. */
async function deleteAllButFirstParts({ siteId, run, lease }: SyncRun): Promise<void> {
  const { list, sourceId } = run;
  if (!list) return;
  for (let first = list.parts - partsDeletedAtOnce; first > 0; first -= partsDeletedAtOnce) {
    await lease.changeEvenIfInterrupted(({ db }) =>
      deleteListParts({ db, siteId }, { sourceId, ...list }, first),
    );
  }
}

function runErrorOf(failure: unknown): RunError | null {
  if (failure === undefined) return null;
  if (failure instanceof WorkspaceUnavailable || failure instanceof SourceTurnedOff) {
    return { code: failure.code, message: failure.message };
  }
  return { code: 'internal', message: 'An internal error occurred. The log of the service has the details.' };
}

/** An event if something has changed, also by a run that has failed, and one for the first of several failures. */
function recordEnd(change: Change, { run, results }: SyncRun, { failure }: RunOutcome): void {
  const { created, added, changed, removed, withheld, blocked } = totalOf(results.collections);
  const data = { sourceId: run.sourceId, runId: run.id };
  if (created + added + changed + removed + blocked > 0) {
    const counts = { created, added, changed, removed, withheld, blocked };
    change.record({ type: 'source.synced', data: { ...data, counts } });
  }
  if (failure && run.failures === 0) {
    change.record({ type: 'source.failed', data: { ...data, error: failure } });
  }
}
