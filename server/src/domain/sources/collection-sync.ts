import { setImmediate } from 'node:timers/promises';
import { applyPeople } from './collection-changes.ts';
import { type CollectionDifference, compareCollection } from './collection-difference.ts';
import { checkPeople, ownGroup, type Person } from './collection-people.ts';
import { exceedsLimit } from './removals.ts';
import type { SourceCollection } from './source.ts';
import { selectSourceGroups } from './source-group-store.ts';
import {
  createSourceGroup,
  followName,
  type GroupsByValue,
  groupsOfCollection,
  isNamedAfter,
} from './source-groups.ts';
import { findStoredPeople } from './source-people-store.ts';
import { updateCollection } from './source-store.ts';
import { maxListed, type SyncRun } from './sync-run.ts';
import { type CollectionReading, CollectionUnreadable, type Workspace } from './workspace.ts';

/** The maximum number of people in one transaction, so that other writers wait no longer than for a bulk request. */
const peopleAtOnce = 500;
/** The maximum number of groups created in one transaction. */
const groupsAtOnce = 50;
/** A column with more different values than this does not name groups. */
const maxGroups = 500;

/**
 * Reads a collection completely, and brings its groups in step with it.
 * @throws {CollectionGone}
 * @throws {CollectionUnreadable}
 * @throws {WorkspaceUnavailable}
 * @throws {CollectionChanged}
 */
export async function syncCollection(
  sync: SyncRun,
  workspace: Workspace,
  known: SourceCollection,
  signal: AbortSignal,
): Promise<void> {
  const { siteId, source, run, database, confirmation } = sync;
  const reading = await workspace.read(known, known.token, signal);
  const people = await peopleOf(sync, known, reading);
  const collection = await followCollection(sync, known, reading);
  const groups = await prepareGroups(sync, collection, people, reading?.isGroup === true);
  const compare = (wanted: ReadonlyMap<string, Person>) =>
    compareCollection(database, siteId, source.id, collection, groups, wanted);
  const found = await compare(people);
  // The limits may have been changed while the collection was read.
  await sync.refresh();
  const isWithheld =
    exceedsLimit(sync.source, found) && !confirmation.coversPeople(collection.key, found.kept.size);
  reportDifference(sync, collection, people.size, found, isWithheld);
  if (run.dryRun) return;
  const allowed = isWithheld ? await compare(new Map([...people, ...found.kept])) : found;
  await applyDifference(sync, collection, groups, allowed);
  // While people are withheld, the collection is read again each time, because a confirmation needs everybody in it.
  const token = isWithheld ? null : reading ? reading.token : collection.token;
  if (token !== collection.token) {
    await sync.change(({ tx }) => updateCollection(tx, siteId, source.id, { ...collection, token }));
  }
}

/** Everybody in the collection: as read, or as of the last synchronization if nothing has changed since then. */
async function peopleOf(
  sync: SyncRun,
  collection: SourceCollection,
  reading: CollectionReading | undefined,
): Promise<ReadonlyMap<string, Person>> {
  if (!reading) return findStoredPeople(sync.database, sync.siteId, sync.source.id, collection.key);
  const { people, skipped } = await checkPeople(whileRunning(sync, reading.people));
  const result = sync.resultOf(collection);
  sync.report({ ...result, skipped: skipped.length, skippedPeople: skipped.slice(0, maxListed) });
  return people;
}

/** Stops a slow workspace from being read when the run ends, and lets other work run while a fast one is read. */
async function* whileRunning<T>({ signal }: SyncRun, items: AsyncIterable<T>): AsyncIterable<T> {
  let count = 0;
  for await (const item of items) {
    signal.throwIfAborted();
    if (++count % 1_000 === 0) await setImmediate();
    yield item;
  }
}

/** The collection is there: it has its name in the workspace, and is no longer missing. */
async function followCollection(
  sync: SyncRun,
  known: SourceCollection,
  reading: CollectionReading | undefined,
): Promise<SourceCollection> {
  const { siteId, source, run } = sync;
  const collection = { ...known, name: reading?.name ?? known.name, missingSince: null };
  const isSame = collection.name === known.name && known.missingSince === null;
  if (!isSame && !run.dryRun) {
    await sync.change(({ tx }) => updateCollection(tx, siteId, source.id, collection));
  }
  return collection;
}

/** Creates the groups that are missing, and renames the group of a renamed collection. */
async function prepareGroups(
  sync: SyncRun,
  collection: SourceCollection,
  people: ReadonlyMap<string, Person>,
  isGroup: boolean,
): Promise<GroupsByValue> {
  const { siteId, source, run, database } = sync;
  const groups = groupsOfCollection(await selectSourceGroups(database, siteId, source.id), collection);
  const values = new Set([...people.values()].flatMap((person) => person.values));
  // In a source whose people name their groups, an empty collection says nothing about groups.
  if (isGroup && (people.size > 0 || groups.size === 0)) values.add(ownGroup);
  const missing = [...values].filter((value) => !groups.has(value));
  if (missing.length > 0 && groups.size + missing.length > maxGroups) throw tooManyGroups();
  if (run.dryRun) return groups;
  const own = groups.get(ownGroup);
  if (own && !(await isNamedAfter(database, siteId, own, collection.name, sync.now))) {
    await sync.change((change) => followName(change, own, collection.name));
  }
  if (missing.length === 0) return groups;
  const created = new Map(groups);
  for (const part of inSteps(missing, groupsAtOnce)) {
    await sync.changeCollection(collection, async (change) => {
      for (const value of part) {
        created.set(value, await createSourceGroup(change, source.id, collection, value));
      }
    });
  }
  return created;
}

function tooManyGroups(): CollectionUnreadable {
  return new CollectionUnreadable(
    'too_large',
    `The column with the groups has so many different values that the source would have more than ${maxGroups} ` +
      'groups. Choose a column with the names of groups, or none.',
  );
}

/** @param isWithheld whether everybody who would lose something stays until somebody confirms it */
export function reportDifference(
  sync: SyncRun,
  collection: SourceCollection,
  read: number,
  { created, added, updated, leaving, kept }: CollectionDifference,
  isWithheld: boolean,
): void {
  const withheld = isWithheld ? kept.size : 0;
  const result = { ...sync.resultOf(collection), read, withheld, error: null };
  const { dryRun } = sync.run;
  // What the same run would do without being a dry run.
  const counts = {
    created: created.size,
    added: membershipsIn(added),
    removed: isWithheld ? 0 : membershipsIn(leaving),
    changed: updated.size,
  };
  const sample = { added: listed(added.keys()), removed: listed(kept.keys()) };
  sync.report({ ...result, ...(dryRun && counts), ...((dryRun || isWithheld) && { sample }) });
}

function membershipsIn(values: ReadonlyMap<string, readonly string[]>): number {
  return [...values.values()].reduce((count, each) => count + each.length, 0);
}

function listed(emails: Iterable<string>): string[] {
  return [...emails].sort().slice(0, maxListed);
}

/** Applies a difference in steps, each a transaction. @throws {CollectionChanged} */
export async function applyDifference(
  sync: SyncRun,
  collection: SourceCollection,
  groups: GroupsByValue,
  { changed, gone }: Pick<CollectionDifference, 'changed' | 'gone'>,
): Promise<void> {
  const steps = [
    ...inSteps(changed, peopleAtOnce).map((part) => ({ changed: part, gone: [] })),
    ...inSteps(gone, peopleAtOnce).map((part) => ({ changed: [], gone: part })),
  ];
  for (const step of steps) {
    await sync.changeCollection(
      collection,
      (change) => {
        const { id: sourceId, leavers } = sync.source;
        return applyPeople(change, {
          sourceId,
          collection,
          groups,
          blocksLeavers: leavers === 'block',
          ...step,
        });
      },
      (counts) => sync.count(collection, counts),
    );
  }
}

function inSteps<T>(items: readonly T[], size: number): T[][] {
  const steps: T[][] = [];
  for (let start = 0; start < items.length; start += size) steps.push(items.slice(start, start + size));
  return steps;
}
