import { findAccessGroup } from '../../../domain/access-groups/access-groups.ts';
import type { SourceCollection } from '../../../domain/sources/collections/collection.ts';
import {
  createSourceGroup,
  findSourceGroups,
  type GroupsByValue,
  groupsOfCollection,
  isNamedAfter,
  renameGroupOfCollection,
} from '../../../domain/sources/groups/source-groups.ts';
import {
  maxGroups,
  ownGroup,
  type Person,
  tooManyGroups,
} from '../../../domain/sources/people/collection-people.ts';
import type { SyncRun } from '../run/sync-run.ts';
import { inSteps } from './apply-difference.ts';
import { inChunks } from './chunks.ts';

/** The maximum number of groups created in one transaction: each may look for a free name up to 1,000 times. */
const groupsAtOnce = 10;
/** Of a source, with those of earlier columns that nobody is in any more. */
const maxGroupsOfSource = 2_000;

/** The people of a collection, who are in its groups. */
interface GroupedPeople {
  readonly collection: SourceCollection;
  readonly listed: { readonly people: ReadonlyMap<string, Person> };
  /** True if the collection is a group. False if its people name their groups, or it is unchanged: then it is unknown. */
  readonly isGroup: boolean;
}

/**
 * The groups of a collection. Creates those that are missing, and renames the group of a renamed collection.
 * @throws {CollectionUnreadable}
 * @throws {CollectionChanged}
 */
export async function prepareGroups(sync: SyncRun, grouped: GroupedPeople): Promise<GroupsByValue> {
  const { collection } = grouped;
  const groups = await findGroupsOf(sync, collection);
  const values = await valuesOf(grouped, groups);
  const missing = [...values].filter((value) => !groups.has(value));
  if (values.size > maxGroups || groups.size + missing.length > maxGroupsOfSource) throw tooManyGroups();
  if (sync.run.dryRun) return groups;
  await renameOwnGroup(sync, collection, groups);
  return missing.length === 0 ? groups : createGroups(sync, collection, groups, missing);
}

export async function findGroupsOf(
  { siteId, run, database }: SyncRun,
  collection: SourceCollection,
): Promise<GroupsByValue> {
  return groupsOfCollection(await findSourceGroups({ db: database, siteId }, run.sourceId), collection);
}

/** The values of which there must be a group. */
async function valuesOf(
  { listed: { people }, isGroup }: GroupedPeople,
  groups: GroupsByValue,
): Promise<Set<string>> {
  const values = new Set<string>();
  for await (const chunk of inChunks(people.values())) {
    for (const person of chunk) for (const value of person.values) values.add(value);
  }
  // In a source whose people name their groups, an empty collection says nothing about groups.
  if (isGroup && (people.size > 0 || groups.size === 0)) values.add(ownGroup);
  return values;
}

async function renameOwnGroup(
  { siteId, database, lease }: SyncRun,
  { name }: SourceCollection,
  groups: GroupsByValue,
): Promise<void> {
  const own = groups.get(ownGroup);
  if (!own) return;
  const group = await findAccessGroup({ db: database, siteId, now: lease.now }, own.groupId);
  if (await isNamedAfter({ db: database, siteId }, group, name)) return;
  await lease.change((change) => renameGroupOfCollection(change, own, name));
}

async function createGroups(
  { run, lease }: SyncRun,
  collection: SourceCollection,
  groups: GroupsByValue,
  missing: readonly string[],
): Promise<GroupsByValue> {
  const created = new Map(groups);
  for (const part of inSteps(missing, groupsAtOnce)) {
    await lease.changeCollection(collection, async (change) => {
      for (const value of part) {
        created.set(value, await createSourceGroup(change, run.sourceId, collection, value));
      }
    });
  }
  return created;
}
