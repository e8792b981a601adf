import { setImmediate } from 'node:timers/promises';
import type { SourceCollection } from '../../../domain/sources/collections/collection.ts';
import { updateCollection } from '../../../domain/sources/collections/collections.ts';
import type { GroupsByValue } from '../../../domain/sources/groups/source-groups.ts';
import {
  type CollectionPeople,
  checkPeople,
  clearPeople,
} from '../../../domain/sources/people/collection-people.ts';
import { countPeople, findStoredPeople } from '../../../domain/sources/people/source-people.ts';
import type { CollectionReading, Workspace } from '../../../domain/sources/workspaces/workspace.ts';
import { exceedsLimit } from '../run/confirmation.ts';
import type { SyncRun } from '../run/sync-run.ts';
import { applyDifference } from './apply-difference.ts';
import { prepareGroups } from './collection-groups.ts';
import { compareCollection } from './compare-collection.ts';
import { type CollectionDifference, withoutLosses } from './comparison.ts';
import { peopleToRemove } from './people-to-remove.ts';
import { reportDifference } from './report-difference.ts';

// The states of a collection that the workspace has: read, compared, and then without those who have left.

/** A collection that was read completely, or has not changed since it was. */
export interface ReadCollection {
  /** With the name that it has in the workspace. */
  readonly collection: SourceCollection;
  readonly listed: CollectionPeople;
  /** True if the collection is a group. False if its people name their groups, or it is unchanged: then it is unknown. */
  readonly isGroup: boolean;
  /** Identifies the version that was read, for the next run. */
  readonly token: string | null;
}

/** A collection with what has to be changed because of it. */
export interface ComparedCollection extends ReadCollection {
  readonly groups: GroupsByValue;
  readonly difference: CollectionDifference;
  /** Whether everybody who would lose something stays until somebody confirms it. */
  readonly isWithheld: boolean;
}

/**
 * Reads a collection completely.
 * @throws {CollectionGone}
 * @throws {CollectionUnreadable}
 * @throws {WorkspaceUnavailable}
 */
export async function readCollection(
  sync: SyncRun,
  workspace: Workspace,
  known: SourceCollection,
): Promise<ReadCollection> {
  const { siteId, run, database, lease } = sync;
  const reading = await workspace.read(known, known.token, lease.signal);
  if (!reading) {
    const stored = await findStoredPeople(
      { db: database, siteId },
      {
        sourceId: run.sourceId,
        collection: known.key,
      },
    );
    const collection = await storePresence(sync, known, known.name);
    return { collection, listed: clearPeople(stored), isGroup: false, token: known.token };
  }
  const listed = await readPeople(sync, known, reading);
  const collection = await storePresence(sync, known, reading.name);
  return { collection, listed, isGroup: reading.isGroup, token: reading.token };
}

async function readPeople(
  { results, lease }: SyncRun,
  collection: SourceCollection,
  { people }: CollectionReading,
): Promise<CollectionPeople> {
  const { skipped, ...listed } = await checkPeople(untilAborted(lease.signal, people));
  const { unreadable, uncertain } = listed;
  results.set(collection, { skipped: skipped.count, skippedPeople: skipped.first, unreadable });
  results.addUncertain(uncertain);
  return listed;
}

/** A few milliseconds of work, whatever the items contain. */
const itemsAtOnce = 100;

/** Stops a slow workspace from being read when the run ends, and lets other work run while a fast one is read. */
async function* untilAborted<T>(signal: AbortSignal, items: AsyncIterable<T>): AsyncIterable<T> {
  let count = 0;
  for await (const item of items) {
    signal.throwIfAborted();
    if (++count % itemsAtOnce === 0) await setImmediate();
    yield item;
  }
}

/** The collection is there: it has its name in the workspace, and is no longer missing. */
async function storePresence(
  { siteId, run, lease }: SyncRun,
  known: SourceCollection,
  name: string,
): Promise<SourceCollection> {
  const collection = { ...known, name, missingSince: null };
  const isSame = name === known.name && known.missingSince === null;
  if (!isSame && !run.dryRun) {
    await lease.change(({ db }) => updateCollection({ db, siteId }, run.sourceId, collection));
  }
  return collection;
}

/** Finds out what has to be changed, and whether somebody has to confirm it. @throws {CollectionChanged} */
export async function compareWithGroups(sync: SyncRun, read: ReadCollection): Promise<ComparedCollection> {
  const groups = await prepareGroups(sync, read);
  const difference = await compareCollection({ ...read, groups }, sync.members);
  // The limits may have been changed while the collection was read.
  await sync.lease.refresh();
  const isWithheld = await isToBeConfirmed(sync, read, difference);
  const { collection, listed } = read;
  await reportDifference(sync, collection, difference, { read: listed.people.size, isWithheld });
  return { ...read, groups, difference, isWithheld };
}

/** Whether what people would lose waits until somebody has confirmed it. */
async function isToBeConfirmed(
  { lease, confirmation, results }: SyncRun,
  { collection: { key }, listed }: ReadCollection,
  difference: CollectionDifference,
): Promise<boolean> {
  if (listed.unreadable === 0) {
    return exceedsLimit(lease.source, difference) && !(await confirmation.coversLosses(key, difference));
  }
  // Anybody who is missing may be in such a row, so only a confirmation by somebody who has seen who it is counts.
  const isConfirmed = await confirmation.namesLosses(key, difference);
  if (!isConfirmed) results.addUnreadableRows();
  return difference.losses.size > 0 && !isConfirmed;
}

/** Makes the changes that take nothing away, or all changes of people who stay. @throws {CollectionChanged} */
export async function addPeople(sync: SyncRun, compared: ComparedCollection): Promise<void> {
  if (sync.run.dryRun) return;
  const { difference, isWithheld } = compared;
  const changed = isWithheld ? withoutLosses(difference) : difference.changed;
  await applyDifference(sync, compared, { changed, gone: [] });
}

/**
 * Removes those who are no longer in the collection, and stores its version. Called after all collections were compared,
 * because they may be in another one.
 * @throws {CollectionChanged}
 */
export async function removePeople(sync: SyncRun, compared: ComparedCollection): Promise<void> {
  const { collection, groups, listed, difference, isWithheld } = compared;
  if (sync.run.dryRun) return;
  const gone = isWithheld ? [] : difference.gone;
  const certain = peopleToRemove(sync, groups, gone);
  if (!certain) return;
  await applyDifference(sync, compared, { changed: [], gone: certain });
  const isClear = listed.uncertain.size === 0 && listed.unreadable === 0;
  const isDone = isClear && !isWithheld && certain.length === gone.length;
  // While something is open, the collection is read again each time: what is open must be seen, and a confirmation
  // needs everybody in it.
  const token = isDone ? compared.token : null;
  if (token !== collection.token) await storeVersion(sync, { ...collection, token }, listed.people.size);
}

/** Stores the version of a collection that was read, unless somebody in it was deleted meanwhile. */
async function storeVersion(
  { siteId, run, lease }: SyncRun,
  collection: SourceCollection,
  peopleRead: number,
): Promise<void> {
  const { sourceId } = run;
  await lease.change(async ({ db }) => {
    // First, so that a deletion in progress either is counted or clears this version.
    await updateCollection({ db, siteId }, sourceId, collection);
    const stored = await countPeople({ db, siteId }, { sourceId, collection: collection.key });
    if (stored !== peopleRead)
      await updateCollection({ db, siteId }, sourceId, { ...collection, token: null });
  });
}
