import type { Timestamp } from '../../base/clock.ts';
import type { SourceCollection } from '../../domain/sources/collections/collection.ts';
import { deleteCollection, updateCollection } from '../../domain/sources/collections/collections.ts';
import {
  deleteGroupOfSource,
  findSourceGroups,
  groupsOfCollection,
} from '../../domain/sources/groups/source-groups.ts';
import { clearPeople, ownGroup } from '../../domain/sources/people/collection-people.ts';
import { CollectionGone } from '../../domain/sources/workspaces/workspace.ts';
import { compareCollection } from './collection-difference.ts';
import { applyDifference, reportDifference } from './collection-sync.ts';
import type { SyncRun } from './sync-run.ts';

/** The workspace does not have the collection any more: its people stay until the grace period ends. */
export async function leaveMissing(sync: SyncRun, known: SourceCollection): Promise<void> {
  const { siteId, source, run } = sync;
  // When it returns, it is read again, also if it is the same version.
  const collection = { ...known, token: null, missingSince: known.missingSince ?? sync.now };
  if ((known.missingSince === null || known.token !== null) && !run.dryRun) {
    await sync.change(({ tx }) => updateCollection(tx, siteId, source.id, collection));
  }
  await leaveCollection(sync, collection, collection.missingSince);
  const { message } = new CollectionGone();
  sync.fail(collection, { code: 'not_found', message });
}

/**
 * Removes everybody from a collection that is missing or no longer chosen, and deletes its group, after the grace period
 * or with a confirmation.
 * @throws {CollectionChanged}
 */
export async function leaveCollection(
  sync: SyncRun,
  collection: SourceCollection,
  since: Timestamp,
): Promise<void> {
  const { siteId, source, run, database, confirmation } = sync;
  const groups = groupsOfCollection(await findSourceGroups(database, siteId, source.id), collection);
  const nobody = clearPeople(new Map());
  const difference = await compareCollection(database, siteId, source.id, collection, groups, nobody);
  const own = groups.get(ownGroup);
  const isConfirmed =
    (await confirmation.coversLosses(collection.key, difference)) &&
    (own === undefined || confirmation.coversGroup(own.groupId));
  const isOver = isConfirmed || sync.isGraceOver(since);
  await reportDifference(sync, collection, 0, difference, !isOver);
  if (own && (run.dryRun || !isOver)) await sync.reportGroupToDelete(own.groupId);
  if (run.dryRun || !isOver) return;
  await applyDifference(sync, collection, groups, difference);
  // A collection that is still chosen gets a group again when it returns.
  const isChosen = collection.removedAt === null;
  if (!own && isChosen) return;
  await sync.changeCollection(collection, async (change) => {
    if (own) await deleteGroupOfSource(change, source.id, own);
    if (!isChosen) await deleteCollection(change.tx, siteId, source.id, collection.key);
  });
}
