import { setImmediate } from 'node:timers/promises';
import { millisecondsPerDay, type Timestamp, timestampAfter } from '../../base/clock.ts';
import type { Queries } from '../../storage/database.ts';
import { StoreUnavailable } from '../../storage/errors.ts';
import { applyPeople } from './collection-changes.ts';
import { type CollectionDifference, compareCollection } from './collection-difference.ts';
import { checkPeople, ownGroup, type Person } from './collection-people.ts';
import type { StoredRun } from './run.ts';
import { type SourceCollection, type StoredSource, toStoredSource } from './source.ts';
import { selectSourceGroups, updateUnusedSince } from './source-group-store.ts';
import {
  createSourceGroup,
  deleteGroupOfSource,
  followName,
  type GroupsByValue,
  groupsOfCollection,
  isNamedAfter,
} from './source-groups.ts';
import { findStoredPeople, selectUsedValues } from './source-people-store.ts';
import { deleteCollectionRow, selectCollections, selectSource, updateCollection } from './source-store.ts';
import { endSync, giveBack } from './sync-end.ts';
import { LeaseLost, maxListed, type RunParts, SyncRun } from './sync-run.ts';
import {
  CollectionGone,
  type CollectionReading,
  CollectionUnreadable,
  type Workspace,
  WorkspaceUnavailable,
} from './workspace.ts';

/** The maximum number of people in one transaction, so that other writers wait no longer than for a bulk request. */
const peopleAtOnce = 500;

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
  const row = await selectSource(parts.database, siteId, run.sourceId);
  if (!row) return;
  const sync = new SyncRun(parts, siteId, toStoredSource(row), run, holder, stopping);
  try {
    await synchronize(parts, sync);
  } catch (error) {
    if (!(error instanceof LeaseLost)) throw error;
  } finally {
    await sync.close();
  }
}

async function synchronize(parts: SyncParts, sync: SyncRun): Promise<void> {
  const { siteId, source, run, signal } = sync;
  try {
    const workspace = await parts.open(sync.database, siteId, source, run);
    await syncCollections(sync, workspace, signal);
    await followUnusedValues(sync);
    await endSync(sync, parts.random(), undefined);
  } catch (error) {
    if (error instanceof LeaseLost) throw error;
    if (signal.aborted) return giveBack(sync);
    // Without its store the run is continued when its lease has ended.
    if (error instanceof StoreUnavailable) throw error;
    await endSync(sync, parts.random(), error);
    if (!(error instanceof WorkspaceUnavailable)) throw error;
  }
}

async function syncCollections(sync: SyncRun, workspace: Workspace, signal: AbortSignal): Promise<void> {
  for (const collection of await collectionsOf(sync)) {
    signal.throwIfAborted();
    try {
      if (collection.removedAt === null) await syncCollection(sync, workspace, collection, signal);
      else await leaveCollection(sync, collection, collection.removedAt);
    } catch (error) {
      if (error instanceof CollectionGone) await leaveMissing(sync, collection);
      else if (error instanceof CollectionUnreadable) {
        sync.fail(collection, { code: error.code, message: error.message });
      } else throw error;
    }
  }
}

/** The collections of a run: all, or the one of an uploaded list, which a dry run does not store. */
async function collectionsOf({ siteId, source, run, database }: SyncRun): Promise<SourceCollection[]> {
  const all = await selectCollections(database, siteId, source.id);
  if (!run.list) return all;
  const { collection: key, name } = run.list;
  const known = all.find((each) => each.key === key);
  return [known ?? { key, name, columns: null, token: null, removedAt: null, missingSince: null }];
}

async function syncCollection(
  sync: SyncRun,
  workspace: Workspace,
  known: SourceCollection,
  signal: AbortSignal,
): Promise<void> {
  const { siteId, source, run, database } = sync;
  const reading = await workspace.read(known, known.token, signal);
  const people = await peopleOf(sync, known, reading);
  const collection = await followCollection(sync, known, reading);
  const groups = await prepareGroups(sync, collection, people, reading?.isGroup === true);
  const compare = (wanted: ReadonlyMap<string, Person>) =>
    compareCollection(database, siteId, source.id, collection, groups, wanted);
  const found = await compare(people);
  const withheld = !run.removalsConfirmed && exceedsLimit(source, found);
  report(sync, collection, people.size, found, withheld ? found.leaving.size : 0);
  if (run.dryRun) return;
  await apply(sync, collection, groups, withheld ? await compare(withLeaving(people, found)) : found);
  // While people are withheld, the collection is read again each time, because a confirmation needs everybody in it.
  const token = withheld ? null : reading ? reading.token : collection.token;
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
  if (run.dryRun) return groups;
  const own = groups.get(ownGroup);
  if (own && !(await isNamedAfter(database, siteId, own, collection.name, sync.now))) {
    await sync.change((change) => followName(change, own, collection.name));
  }
  const missing = [...values].filter((value) => !groups.has(value));
  if (missing.length === 0) return groups;
  const created = new Map(groups);
  await sync.change(async (change) => {
    for (const value of missing) {
      created.set(value, await createSourceGroup(change, source.id, collection, value));
    }
  });
  return created;
}

/** Whether so many people would leave that somebody has to confirm it, because a source may fail. */
function exceedsLimit(
  { maxRemovedPeople, maxRemovedPercent }: StoredSource,
  { leaving, peopleBefore }: CollectionDifference,
): boolean {
  if (leaving.size === 0 || maxRemovedPercent === 100) return false;
  if (leaving.size >= peopleBefore) return true;
  return leaving.size > maxRemovedPeople && leaving.size * 100 > peopleBefore * maxRemovedPercent;
}

/** The people of a collection as if everybody who would leave a group stayed in it. */
function withLeaving(
  people: ReadonlyMap<string, Person>,
  { leaving }: CollectionDifference,
): ReadonlyMap<string, Person> {
  const all = new Map(people);
  for (const [email, left] of leaving) {
    const person = people.get(email) ?? { email, values: [], displayName: undefined, paid: undefined };
    all.set(email, { ...person, values: [...new Set([...person.values, ...left])].sort() });
  }
  return all;
}

function report(
  sync: SyncRun,
  collection: SourceCollection,
  read: number,
  { created, added, updated, leaving }: CollectionDifference,
  withheld: number,
): void {
  const result = { ...sync.resultOf(collection), read, withheld, error: null };
  const { dryRun } = sync.run;
  // What the same run would do without being a dry run.
  const counts = {
    created: created.size,
    added: membershipsIn(added),
    removed: withheld > 0 ? 0 : membershipsIn(leaving),
    changed: updated.size,
  };
  const sample = { added: listed(added.keys()), removed: listed(leaving.keys()) };
  sync.report({ ...result, ...(dryRun && counts), ...((dryRun || withheld > 0) && { sample }) });
}

function membershipsIn(values: ReadonlyMap<string, readonly string[]>): number {
  return [...values.values()].reduce((count, each) => count + each.length, 0);
}

function listed(emails: Iterable<string>): string[] {
  return [...emails].sort().slice(0, maxListed);
}

/** Applies a difference in steps, each a transaction. */
async function apply(
  sync: SyncRun,
  collection: SourceCollection,
  groups: GroupsByValue,
  { changed, gone }: Pick<CollectionDifference, 'changed' | 'gone'>,
): Promise<void> {
  const { id: sourceId, leavers } = sync.source;
  const steps = [
    ...inSteps(changed).map((part) => ({ changed: part, gone: [] })),
    ...inSteps(gone).map((part) => ({ changed: [], gone: part })),
  ];
  for (const step of steps) {
    await sync.change(
      (change) =>
        applyPeople(change, { sourceId, collection, groups, blocksLeavers: leavers === 'block', ...step }),
      (counts) => sync.count(collection, counts),
    );
  }
}

function inSteps<T>(items: readonly T[]): T[][] {
  const steps: T[][] = [];
  for (let start = 0; start < items.length; start += peopleAtOnce) {
    steps.push(items.slice(start, start + peopleAtOnce));
  }
  return steps;
}

/** The workspace does not have the collection any more: its people stay until the grace period ends. */
async function leaveMissing(sync: SyncRun, known: SourceCollection): Promise<void> {
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

/** Removes everybody from a collection and deletes its group, after the grace period or a confirmation. */
async function leaveCollection(sync: SyncRun, collection: SourceCollection, since: Timestamp): Promise<void> {
  const { siteId, source, run, database } = sync;
  const groups = groupsOfCollection(await selectSourceGroups(database, siteId, source.id), collection);
  const difference = await compareCollection(database, siteId, source.id, collection, groups, new Map());
  const isOver = run.removalsConfirmed || hasPassed(sync, since);
  report(sync, collection, 0, difference, isOver ? 0 : difference.leaving.size);
  if (run.dryRun || !isOver) return;
  await apply(sync, collection, groups, difference);
  const own = groups.get(ownGroup);
  // A collection that is still chosen gets a group again when it returns.
  const isChosen = collection.removedAt === null;
  if (!own && isChosen) return;
  await sync.change(async (change) => {
    if (own) await deleteGroupOfSource(change, source.id, own);
    if (!isChosen) await deleteCollectionRow(change.tx, siteId, source.id, collection.key);
  });
}

function hasPassed({ source, now }: SyncRun, since: Timestamp): boolean {
  return timestampAfter(since, source.graceDays * millisecondsPerDay) <= now;
}

/** Groups of values that nobody has any more are deleted after the grace period. */
async function followUnusedValues(sync: SyncRun): Promise<void> {
  const { siteId, source, run, database } = sync;
  if (run.dryRun || sync.results.some(({ error }) => error !== null)) return;
  const ofValues = (await selectSourceGroups(database, siteId, source.id)).filter(
    ({ value }) => value !== ownGroup,
  );
  if (ofValues.length === 0) return;
  const used = await selectUsedValues(database, siteId, source.id);
  for (const group of ofValues) {
    const { unusedSince } = group;
    if (used.has(group.value)) {
      if (unusedSince === null) continue;
      await sync.change(({ tx }) => updateUnusedSince(tx, siteId, source.id, group, null));
    } else if (unusedSince === null && source.graceDays > 0) {
      await sync.change(({ tx }) => updateUnusedSince(tx, siteId, source.id, group, sync.now));
    } else if (run.removalsConfirmed || unusedSince === null || hasPassed(sync, unusedSince)) {
      await sync.change((change) => deleteGroupOfSource(change, source.id, group));
    }
  }
}
