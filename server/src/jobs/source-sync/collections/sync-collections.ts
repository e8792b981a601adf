import type { Timestamp } from '../../../base/clock.ts';
import type { SourceCollection } from '../../../domain/sources/collections/collection.ts';
import { findCollections } from '../../../domain/sources/collections/collections.ts';
import {
  CollectionGone,
  CollectionUnreadable,
  type Workspace,
} from '../../../domain/sources/workspaces/workspace.ts';
import { CollectionChanged } from '../run/interruptions.ts';
import type { SyncRun } from '../run/sync-run.ts';
import {
  addPeople,
  type ComparedCollection,
  compareWithGroups,
  readCollection,
  removePeople,
} from './collection-sync.ts';
import { removeCollection, removeMissing } from './removed-collections.ts';

/** What is known about a collection before anybody is removed from it. */
type CollectionState =
  | {
      readonly type: 'compared';
      readonly collection: SourceCollection;
      readonly compared: ComparedCollection;
    }
  /** The workspace does not have it any more. */
  | { readonly type: 'missing'; readonly collection: SourceCollection }
  /** An operator no longer chooses it. */
  | { readonly type: 'removed'; readonly collection: SourceCollection; readonly removedAt: Timestamp };

/** First everything that takes nothing away, because people may move from one collection to another. */
export async function syncCollections(sync: SyncRun, workspace: Workspace): Promise<void> {
  const states: CollectionState[] = [];
  for (const collection of await collectionsOf(sync)) {
    sync.lease.signal.throwIfAborted();
    await attempt(sync, collection, async () => {
      states.push(await beforeRemovals(sync, workspace, collection));
    });
  }
  for (const state of states) await attempt(sync, state.collection, () => removeFrom(sync, state));
}

async function beforeRemovals(
  sync: SyncRun,
  workspace: Workspace,
  collection: SourceCollection,
): Promise<CollectionState> {
  const { removedAt } = collection;
  if (removedAt !== null) return { type: 'removed', collection, removedAt };
  try {
    const compared = await compareWithGroups(sync, await readCollection(sync, workspace, collection));
    await addPeople(sync, compared);
    return { type: 'compared', collection, compared };
  } catch (error) {
    if (error instanceof CollectionGone) return { type: 'missing', collection };
    throw error;
  }
}

function removeFrom(sync: SyncRun, state: CollectionState): Promise<void> {
  if (state.type === 'compared') return removePeople(sync, state.compared);
  if (state.type === 'missing') return removeMissing(sync, state.collection);
  return removeCollection(sync, state.collection, state.removedAt);
}

/** The failure of a collection does not affect the others. */
async function attempt(
  { results }: SyncRun,
  collection: SourceCollection,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof CollectionUnreadable || error instanceof CollectionChanged)) throw error;
    results.fail(collection, error);
  }
}

/** The collections of a run: all, or the one of an uploaded list, which a dry run does not store. */
async function collectionsOf({ siteId, run, database }: SyncRun): Promise<SourceCollection[]> {
  const all = await findCollections({ db: database, siteId }, run.sourceId);
  if (!run.list) return all;
  const { collection: key, name } = run.list;
  const known = all.find((each) => each.key === key);
  return [known ?? { key, name, columns: null, token: null, removedAt: null, missingSince: null }];
}
