import type { Timestamp } from '../../../base/clock.ts';
import type { SourceCollection } from '../../../domain/sources/collections/collection.ts';
import { deleteCollection, updateCollection } from '../../../domain/sources/collections/collections.ts';
import { deleteGroupOfSource, type SourceGroup } from '../../../domain/sources/groups/source-groups.ts';
import { clearPeople, ownGroup } from '../../../domain/sources/people/collection-people.ts';
import { CollectionGone } from '../../../domain/sources/workspaces/workspace.ts';
import { isGraceOver } from '../run/confirmation.ts';
import type { SyncRun } from '../run/sync-run.ts';
import { applyDifference } from './apply-difference.ts';
import { findGroupsOf } from './collection-groups.ts';
import { compareCollection } from './compare-collection.ts';
import type { CollectionDifference } from './comparison.ts';
import { peopleToRemove } from './people-to-remove.ts';
import { reportDifference } from './report-difference.ts';
import { SourceMembers } from './source-members.ts';
import { reportGroupToDelete } from './unused-groups.ts';

/** The workspace does not have the collection any more: its people stay until the grace period ends. */
export async function removeMissing(sync: SyncRun, known: SourceCollection): Promise<void> {
  const { siteId, run, lease, results } = sync;
  const missingSince = known.missingSince ?? lease.now;
  // When it returns, it is read again, also if it is the same version.
  const collection = { ...known, token: null, missingSince };
  if ((known.missingSince === null || known.token !== null) && !run.dryRun) {
    await lease.change(({ db }) => updateCollection({ db, siteId }, run.sourceId, collection));
  }
  await removeCollection(sync, collection, missingSince);
  const { message } = new CollectionGone();
  results.fail(collection, { code: 'not_found', message });
}

/**
 * Removes everybody from a collection that is missing or no longer chosen, and deletes its group, after the grace period
 * or with a confirmation. While some of them may belong in its groups all the same, it stays with its group.
 * @throws {CollectionChanged}
 */
export async function removeCollection(
  sync: SyncRun,
  collection: SourceCollection,
  since: Timestamp,
): Promise<void> {
  const { siteId, run, database, lease } = sync;
  const groups = await findGroupsOf(sync, collection);
  const compared = { collection, groups, listed: clearPeople(new Map()) };
  const difference = await compareCollection(compared, new SourceMembers(database, siteId, run.sourceId));
  const own = groups.get(ownGroup);
  const isOver =
    (await isConfirmed(sync, collection, difference, own)) || isGraceOver(lease.source, since, lease.now);
  await reportDifference(sync, collection, difference, { read: 0, isWithheld: !isOver });
  const certain = isOver && !run.dryRun ? peopleToRemove(sync, groups, difference.gone) : undefined;
  const isDone = certain?.length === difference.gone.length;
  if (own && !isDone) await reportGroupToDelete(sync, own.groupId);
  if (!certain) return;
  await applyDifference(sync, compared, { changed: [], gone: certain });
  if (isDone) await deleteRemoved(sync, collection, own);
}

async function isConfirmed(
  { confirmation }: SyncRun,
  { key }: SourceCollection,
  difference: CollectionDifference,
  own: SourceGroup | undefined,
): Promise<boolean> {
  if (!(await confirmation.coversLosses(key, difference))) return false;
  return own === undefined || confirmation.coversGroup(own.groupId);
}

async function deleteRemoved(
  { siteId, run, lease }: SyncRun,
  collection: SourceCollection,
  own: SourceGroup | undefined,
): Promise<void> {
  // A collection that is still chosen gets a group again when it returns.
  const isChosen = collection.removedAt === null;
  if (!own && isChosen) return;
  await lease.changeCollection(collection, async (change) => {
    if (own) await deleteGroupOfSource(change, run.sourceId, own);
    if (!isChosen) await deleteCollection({ db: change.db, siteId }, run.sourceId, collection.key);
  });
}
