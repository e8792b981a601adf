import type { ClaimedRun, StoredRun } from '../../domain/sources/runs/run.ts';
import { findStoredRun } from '../../domain/sources/runs/runs.ts';
import type { StoredSource } from '../../domain/sources/source/source.ts';
import { findSourceIfExists } from '../../domain/sources/source/sources.ts';
import { type Workspace, WorkspaceUnavailable } from '../../domain/sources/workspaces/workspace.ts';
import { StoreUnavailable } from '../../storage/errors.ts';
import type { SiteData } from '../../storage/site-view.ts';
import { decideAllLeftMembers } from './collections/decide-left-members.ts';
import { SourceMembers } from './collections/source-members.ts';
import { syncCollections } from './collections/sync-collections.ts';
import { deleteUnusedGroups } from './collections/unused-groups.ts';
import { confirmationOf } from './run/confirmation.ts';
import { HeldLease, type LeaseParts } from './run/held-lease.ts';
import { LeaseLost, maxClaims, SourceTurnedOff, TooManyClaims } from './run/interruptions.ts';
import { endSync, releaseSync } from './run/run-end.ts';
import { RunResults } from './run/run-results.ts';
import type { SyncRun } from './run/sync-run.ts';

export interface SyncParts extends LeaseParts {
  /** Opens the workspace of a source for one run. */
  readonly open: (view: SiteData, source: StoredSource, run: StoredRun) => Promise<Workspace>;
  /** A random number of at least 0 and less than 1. */
  readonly random: () => number;
}

/**
 * Synchronizes a source: one collection after the other, each completely read before anything is changed. It may be
 * stopped or repeated at any point. A collection that cannot be read completely removes nobody.
 * @param stopping aborted when Gatehouse stops
 */
export async function runSync(parts: SyncParts, claimed: ClaimedRun, stopping: AbortSignal): Promise<void> {
  const source = await findSourceIfExists(
    { db: parts.database, siteId: claimed.siteId },
    claimed.run.sourceId,
  );
  if (!source) return;
  const sync = await begin(parts, claimed, source, stopping);
  try {
    await synchronize(parts, sync).catch((error) => endAfter(error, parts, sync));
  } catch (error) {
    // Another process has the run, so nothing is left to do here.
    if (!(error instanceof LeaseLost)) throw error;
  } finally {
    await sync.lease.close();
  }
}

async function begin(
  parts: SyncParts,
  claimed: ClaimedRun,
  source: StoredSource,
  stopping: AbortSignal,
): Promise<SyncRun> {
  const { database } = parts;
  const { siteId, run } = claimed;
  const { confirmedRunId, sourceId } = run;
  const confirmed =
    confirmedRunId === null
      ? undefined
      : await findStoredRun({ db: database, siteId }, sourceId, confirmedRunId);
  const results = new RunResults(run);
  return {
    siteId,
    run,
    database,
    results,
    lease: new HeldLease(parts, claimed, source, { results: () => results.collections, stopping }),
    confirmation: confirmationOf(run, confirmed),
    members: new SourceMembers(database, siteId, sourceId),
  };
}

async function synchronize(parts: SyncParts, sync: SyncRun): Promise<void> {
  const { siteId, run, database, lease } = sync;
  if (run.claims > maxClaims) throw new TooManyClaims();
  const workspace = await parts.open({ db: database, siteId }, lease.source, run);
  await syncCollections(sync, workspace);
  await deleteUnusedGroups(sync);
  await decideAllLeftMembers(sync);
  await endSync(sync, undefined, parts.random());
}

/** Decides what becomes of a run that could not be completed. */
async function endAfter(error: unknown, parts: SyncParts, sync: SyncRun): Promise<void> {
  const { interruption, signal } = sync.lease;
  // A workspace may have made another error of the abort.
  const failure = interruption ?? error;
  if (failure instanceof LeaseLost) throw failure;
  if (failure instanceof SourceTurnedOff) return endSync(sync, failure, parts.random());
  if (signal.aborted) return releaseSync(sync);
  // Without its store the run is continued when its lease has ended.
  if (failure instanceof StoreUnavailable) throw failure;
  await endSync(sync, failure, parts.random());
  if (!(failure instanceof WorkspaceUnavailable)) throw failure;
}
