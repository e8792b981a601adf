import { setImmediate, setTimeout } from 'node:timers/promises';
import type { SourceCollection } from '../../domain/sources/collections/collection.ts';
import { updateCollection } from '../../domain/sources/collections/collections.ts';
import { maxGroups, tooManyGroups } from '../../domain/sources/groups/group-limit.ts';
import {
  createSourceGroup,
  findSourceGroups,
  followName,
  type GroupsByValue,
  groupsOfCollection,
  hasValues,
  isNamedAfter,
} from '../../domain/sources/groups/source-groups.ts';
import { applyPeople, type PeopleToApply } from '../../domain/sources/people/collection-changes.ts';
import {
  type CollectionPeople,
  checkPeople,
  clearPeople,
  ownGroup,
  type Person,
} from '../../domain/sources/people/collection-people.ts';
import { countPeople, findStoredPeople } from '../../domain/sources/people/source-people.ts';
import type { CollectionReading, Workspace } from '../../domain/sources/workspaces/workspace.ts';
import { inChunks } from './chunks.ts';
import { type CollectionDifference, compareCollection, withoutLosses } from './collection-difference.ts';
import { exceedsLimit, hashOfLosses } from './removals.ts';
import type { SyncRun } from './sync-run.ts';

/** The maximum number of people in one transaction, so that other writers wait no longer than for a bulk request. */
const peopleAtOnce = 500;
/** The maximum number of memberships in one transaction; it is a few seconds of work for a slow database. */
const membershipsAtOnce = 2_000;
/** A pause after a very slow step delays the stop of Gatehouse no longer than this. */
const maxPauseMilliseconds = 500;
/** The maximum number of groups created in one transaction: each may look for a free name up to 1,000 times. */
const groupsAtOnce = 10;
/** Of a source, with those of earlier columns that nobody is in any more. */
const maxGroupsOfSource = 2_000;

/**
 * Reads a collection completely, and makes the changes that take nothing away. Returns the second step, which removes
 * people, because they may be in another collection that is read later.
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
): Promise<() => Promise<void>> {
  const { siteId, source, run, database } = sync;
  const reading = await workspace.read(known, known.token, signal);
  const listed = await peopleOf(sync, known, reading);
  const { people } = listed;
  const collection = await followCollection(sync, known, reading);
  const groups = await prepareGroups(sync, collection, people, reading?.isGroup === true);
  const found = await compareCollection(
    database,
    siteId,
    source.id,
    collection,
    groups,
    listed,
    sync.members,
  );
  // The limits may have been changed while the collection was read.
  await sync.refresh();
  const isWithheld = await needsConfirmation(sync, collection, listed, found);
  await reportDifference(sync, collection, people.size, found, isWithheld);
  if (run.dryRun) return async () => {};
  const { changed, gone } = isWithheld ? { changed: withoutLosses(found), gone: [] } : found;
  await applyDifference(sync, collection, groups, { changed, gone: [] });
  return async () => {
    // Somebody who left this collection may be in the same groups because of one that could not be read.
    if (sync.isIncomplete && hasValues(groups)) return;
    // Nor is it known yet where somebody belongs whose row in another collection has an unknown value.
    const certain = gone.filter((email) => !sync.uncertain.has(email));
    await applyDifference(sync, collection, groups, { changed: [], gone: certain });
    const isOpen = isWithheld || certain.length < gone.length || !isClear(listed);
    // While something is open, the collection is read again each time: what is open must be seen, and a confirmation
    // needs everybody in it.
    const token = isOpen ? null : reading ? reading.token : collection.token;
    if (token !== collection.token) await storeVersion(sync, { ...collection, token }, people.size);
  };
}

/** Whether what people would lose waits until somebody has confirmed it. */
async function needsConfirmation(
  sync: SyncRun,
  { key }: SourceCollection,
  { unreadable }: CollectionPeople,
  found: CollectionDifference,
): Promise<boolean> {
  const { source, confirmation } = sync;
  if (unreadable === 0) return exceedsLimit(source, found) && !(await confirmation.coversLosses(key, found));
  // Anybody who is missing may be in such a row, so only a confirmation by somebody who has seen who it is counts.
  const isConfirmed = await confirmation.namesLosses(key, found);
  if (!isConfirmed) sync.noteUnreadable();
  return found.losses.size > 0 && !isConfirmed;
}

function isClear({ uncertain, unreadable }: CollectionPeople): boolean {
  return uncertain.size === 0 && unreadable === 0;
}

/** Stores the version of a collection that was read, unless somebody in it was deleted meanwhile. */
async function storeVersion(sync: SyncRun, collection: SourceCollection, peopleRead: number): Promise<void> {
  const { siteId, source } = sync;
  await sync.change(async ({ tx }) => {
    // First, so that a deletion in progress either is counted or clears this version.
    await updateCollection(tx, siteId, source.id, collection);
    if ((await countPeople(tx, siteId, source.id, collection.key)) === peopleRead) return;
    await updateCollection(tx, siteId, source.id, { ...collection, token: null });
  });
}

/** Everybody in the collection: as read, or as of the last synchronization if nothing has changed since then. */
async function peopleOf(
  sync: SyncRun,
  collection: SourceCollection,
  reading: CollectionReading | undefined,
): Promise<CollectionPeople> {
  if (!reading) {
    return clearPeople(await findStoredPeople(sync.database, sync.siteId, sync.source.id, collection.key));
  }
  const { skipped, ...listed } = await checkPeople(whileRunning(sync, reading.people));
  const result = sync.resultOf(collection);
  const { unreadable } = listed;
  sync.report({ ...result, skipped: skipped.count, skippedPeople: skipped.first, unreadable });
  sync.noteUncertain(listed.uncertain);
  return listed;
}

/** A few milliseconds of work, whatever the items contain. */
const itemsInTurn = 100;

/** Stops a slow workspace from being read when the run ends, and lets other work run while a fast one is read. */
async function* whileRunning<T>({ signal }: SyncRun, items: AsyncIterable<T>): AsyncIterable<T> {
  let count = 0;
  for await (const item of items) {
    signal.throwIfAborted();
    if (++count % itemsInTurn === 0) await setImmediate();
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
  const groups = groupsOfCollection(await findSourceGroups(database, siteId, source.id), collection);
  const values = new Set<string>();
  for await (const part of inChunks(people.values())) {
    for (const person of part) for (const value of person.values) values.add(value);
  }
  // In a source whose people name their groups, an empty collection says nothing about groups.
  if (isGroup && (people.size > 0 || groups.size === 0)) values.add(ownGroup);
  const missing = [...values].filter((value) => !groups.has(value));
  if (values.size > maxGroups || groups.size + missing.length > maxGroupsOfSource) throw tooManyGroups();
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

/** @param isWithheld whether everybody who would lose something stays until somebody confirms it */
export async function reportDifference(
  sync: SyncRun,
  collection: SourceCollection,
  read: number,
  difference: CollectionDifference,
  isWithheld: boolean,
): Promise<void> {
  const { losses, sample } = difference;
  const { dryRun } = sync.run;
  // What the same run would do without being a dry run.
  const counts = { ...difference.counts, ...(isWithheld && { removed: 0 }) };
  sync.report({
    ...sync.resultOf(collection),
    read,
    withheld: isWithheld ? losses.size : 0,
    error: null,
    lossesHash: isWithheld ? await hashOfLosses(difference) : undefined,
    ...(dryRun && counts),
    ...((dryRun || isWithheld) && {
      sample: { added: [...sample.added.emails], removed: [...sample.removed.emails] },
    }),
  });
}

/**
 * Applies a difference in steps, each a transaction. After each step the database is left to others for half as long as
 * the step took.
 * @throws {CollectionChanged}
 */
export async function applyDifference(
  sync: SyncRun,
  collection: SourceCollection,
  groups: GroupsByValue,
  { changed, gone }: { readonly changed: Iterable<Person>; readonly gone: Iterable<string> },
): Promise<void> {
  for (const step of stepsOf(changed, gone, groups.size)) {
    const start = performance.now();
    await sync.changeCollection(
      collection,
      (change) => applyPeople(change, { sourceId: sync.source.id, collection, groups, ...step }),
      (counts) => sync.count(collection, counts),
    );
    await setTimeout(Math.min((performance.now() - start) / 2, maxPauseMilliseconds));
  }
}

type Step = Pick<PeopleToApply, 'changed' | 'gone'>;

function* stepsOf(changed: Iterable<Person>, gone: Iterable<string>, groups: number): Iterable<Step> {
  for (const part of inSteps(changed, peopleAtOnce, ({ values }) => values.length)) {
    yield { changed: part, gone: [] };
  }
  const goneAtOnce = Math.min(peopleAtOnce, Math.ceil(membershipsAtOnce / groups));
  for (const part of inSteps(gone, goneAtOnce)) yield { changed: [], gone: part };
}

/** Parts of at most `size` items, and of at most `membershipsAtOnce` memberships. */
function* inSteps<T>(
  items: Iterable<T>,
  size: number,
  membershipsOf: (item: T) => number = () => 0,
): Iterable<T[]> {
  let step: T[] = [];
  let memberships = 0;
  for (const item of items) {
    memberships += membershipsOf(item);
    if (step.length > 0 && (step.length >= size || memberships > membershipsAtOnce)) {
      yield step;
      step = [];
      memberships = membershipsOf(item);
    }
    step.push(item);
  }
  if (step.length > 0) yield step;
}
