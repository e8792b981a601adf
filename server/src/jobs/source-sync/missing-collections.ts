import type { Timestamp } from '../../base/clock.ts';
import { compareCollection } from './collection-difference.ts';
import { clearPeople, ownGroup } from './collection-people.ts';
import { applyDifference, reportDifference } from './collection-sync.ts';
import type { SourceCollection } from './source.ts';
import { selectSourceGroups } from './source-group-store.ts';
import { deleteGroupOfSource, groupsOfCollection } from './source-groups.ts';
import { deleteCollectionRow, updateCollection } from './source-store.ts';
import type { SyncRun } from './sync-run.ts';
import { CollectionGone } from './workspace.ts';

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
  const groups = groupsOfCollection(await selectSourceGroups(database, siteId, source.id), collection);
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
    if (!isChosen) await deleteCollectionRow(change.tx, siteId, source.id, collection.key);
  });
}
