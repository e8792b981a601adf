import type { SourceCollection } from '../../domain/sources/collections/collection.ts';
import { findCollections } from '../../domain/sources/collections/collections.ts';
import type { StoredRun } from '../../domain/sources/runs/run.ts';
import { findStoredRun } from '../../domain/sources/runs/runs.ts';
import type { StoredSource } from '../../domain/sources/source/source.ts';
import { findSourceIfExists } from '../../domain/sources/source/sources.ts';
import {
  CollectionGone,
  CollectionUnreadable,
  type Workspace,
  WorkspaceUnavailable,
} from '../../domain/sources/workspaces/workspace.ts';
import type { Queries } from '../../storage/database.ts';
import { StoreUnavailable } from '../../storage/errors.ts';
import { syncCollection } from './collection-sync.ts';
import { settleAllLeavers } from './leavers.ts';
import { leaveCollection, leaveMissing } from './missing-collections.ts';
import { confirmationOf } from './removals.ts';
import { endSync, giveBack } from './sync-end.ts';
import { CollectionChanged, LeaseLost, type RunParts, SourceTurnedOff, SyncRun } from './sync-run.ts';
import { followUnusedValues } from './unused-groups.ts';

export interface SyncParts extends RunParts {
  /** Opens the workspace of a source for one run. */
  readonly open: (db: Queries, siteId: string, source: StoredSource, run: StoredRun) => Promise<Workspace>;
  /** A random number of at least 0 and less than 1. */
  readonly random: () => number;
}

/**
 * Synchronizes a source: one collection after the other, each completely read before anything is changed. It may be
 * stopped or repeated at any point. A collection that cannot be read completely removes nobody.
 */
export async function runSync(
  parts: SyncParts,
  siteId: string,
  run: StoredRun,
  holder: string,
  stopping: AbortSignal,
): Promise<void> {
  const { database } = parts;
  const source = await findSourceIfExists(database, siteId, run.sourceId);
  if (!source) return;
  const confirmation = confirmationOf(run, await findConfirmedRun(database, siteId, run));
  const sync = new SyncRun(parts, { siteId, source, run, holder, confirmation, stopping });
  try {
    await synchronize(parts, sync);
  } catch (error) {
    if (!(error instanceof LeaseLost)) throw error;
  } finally {
    await sync.close();
  }
}

/** A run that ends its process, for example because it needs too much memory, is not begun again and again. */
const maxClaims = 5;

class NeverEnds extends Error {
  constructor() {
    super(
      `A synchronization was begun ${maxClaims} times, and its process ended each time before it was done.`,
    );
    this.name = 'NeverEnds';
  }
}

async function synchronize(parts: SyncParts, sync: SyncRun): Promise<void> {
  const { siteId, source, run, signal } = sync;
  try {
    if (run.claims > maxClaims) throw new NeverEnds();
    const workspace = await parts.open(sync.database, siteId, source, run);
    await syncCollections(sync, workspace);
    await followUnusedValues(sync);
    await settleAllLeavers(sync);
    await endSync(sync, parts.random(), undefined);
  } catch (error) {
    // Whatever the workspace made of the abort.
    const failure = sync.interruption ?? error;
    if (failure instanceof LeaseLost) throw failure;
    if (failure instanceof SourceTurnedOff) return endSync(sync, parts.random(), failure);
    if (signal.aborted) return giveBack(sync);
    // Without its store the run is continued when its lease has ended.
    if (failure instanceof StoreUnavailable) throw failure;
    await endSync(sync, parts.random(), failure);
    if (!(failure instanceof WorkspaceUnavailable)) throw failure;
  }
}

async function findConfirmedRun(
  db: Queries,
  siteId: string,
  { sourceId, confirmedRunId }: StoredRun,
): Promise<StoredRun | undefined> {
  if (confirmedRunId === null) return undefined;
  return findStoredRun(db, siteId, sourceId, confirmedRunId);
}

/** First everything that takes nothing away, because people may move from one collection to another. */
async function syncCollections(sync: SyncRun, workspace: Workspace): Promise<void> {
  const { signal } = sync;
  const removals: [SourceCollection, () => Promise<void>][] = [];
  for (const collection of await collectionsOf(sync)) {
    signal.throwIfAborted();
    const { removedAt } = collection;
    if (removedAt !== null) {
      removals.push([collection, () => leaveCollection(sync, collection, removedAt)]);
      continue;
    }
    await attempt(sync, collection, async () => {
      try {
        removals.push([collection, await syncCollection(sync, workspace, collection, signal)]);
      } catch (error) {
        if (!(error instanceof CollectionGone)) throw error;
        removals.push([collection, () => leaveMissing(sync, collection)]);
      }
    });
  }
  for (const [collection, remove] of removals) await attempt(sync, collection, remove);
}

/** The failure of a collection does not affect the others. */
async function attempt(
  sync: SyncRun,
  collection: SourceCollection,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof CollectionUnreadable || error instanceof CollectionChanged)) throw error;
    sync.fail(collection, { code: error.code, message: error.message });
  }
}

/** The collections of a run: all, or the one of an uploaded list, which a dry run does not store. */
async function collectionsOf({ siteId, source, run, database }: SyncRun): Promise<SourceCollection[]> {
  const all = await findCollections(database, siteId, source.id);
  if (!run.list) return all;
  const { collection: key, name } = run.list;
  const known = all.find((each) => each.key === key);
  return [known ?? { key, name, columns: null, token: null, removedAt: null, missingSince: null }];
}
