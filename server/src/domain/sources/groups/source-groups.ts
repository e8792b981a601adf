import { maxNameLength } from '@gatehouse/contract/limits';
import { directionControls } from '@gatehouse/contract/names';
import { ApiError } from '../../../base/api-error.ts';
import { lengthOf } from '../../../base/text/text.ts';
import type { SiteData } from '../../../storage/site-view.ts';
import {
  createScopeGroup,
  deleteScopeGroup,
  findAccessGroup,
  isGroupNameTaken,
  lockAccessGroup,
  renameScopeGroup,
} from '../../access-groups/access-groups.ts';
import type { Change } from '../../events/change.ts';
import type { SourceCollection } from '../collections/collection.ts';
import { ownGroup } from '../people/collection-people.ts';
import {
  deleteSourceGroup,
  insertSourceGroup,
  type SourceGroup,
  selectSourceGroups,
} from './source-group-store.ts';

/** The groups that the people of one collection can be in, by value. */
export type GroupsByValue = ReadonlyMap<string, SourceGroup>;

export function groupsOfCollection(groups: readonly SourceGroup[], { key }: SourceCollection): GroupsByValue {
  const own = groups.filter(({ collection, value }) => collection === key || value !== ownGroup);
  return new Map(own.map((group) => [group.value, group]));
}

/** Whether there are groups of values, which several collections of a source may share. */
export function hasValues(groups: GroupsByValue): boolean {
  return groups.size > (groups.has(ownGroup) ? 1 : 0);
}

/** The values of which a source has groups. */
export async function findGroupValues(view: SiteData, sourceId: string): Promise<Set<string>> {
  const groups = await selectSourceGroups(view, sourceId);
  return new Set(groups.map(({ value }) => value).filter((value) => value !== ownGroup));
}

/** Creates the group of a value, or that of the collection. */
export async function createSourceGroup(
  change: Change,
  sourceId: string,
  { key, name }: SourceCollection,
  value: string,
): Promise<SourceGroup> {
  const wanted = groupNameOf(value === ownGroup ? name : value);
  const groupId = await withFreeName(change, wanted, (free) => createScopeGroup(change, sourceId, free));
  const group = { collection: value === ownGroup ? key : '', value, groupId };
  await insertSourceGroup(change, sourceId, group);
  return { ...group, unusedSince: null };
}

/** Whether the group of a collection has the name of the collection, or that name with a number if it is taken. */
export async function isNamedAfter(
  view: SiteData,
  { name }: { readonly name: string },
  collectionName: string,
): Promise<boolean> {
  const wanted = groupNameOf(collectionName);
  if (name === wanted) return true;
  return name === numbered(wanted, numberIn(name)) && isGroupNameTaken(view, wanted);
}

/** Gives the group of a collection the name of the collection. */
export async function renameGroupOfCollection(
  change: Change,
  { groupId }: SourceGroup,
  collectionName: string,
): Promise<void> {
  await lockAccessGroup(change, groupId);
  const group = await findAccessGroup(change, groupId);
  await withFreeName(change, groupNameOf(collectionName), (free) => renameScopeGroup(change, group, free));
}

/** Deletes a group with its memberships; the members remain. */
export async function deleteGroupOfSource(
  change: Change,
  sourceId: string,
  group: SourceGroup,
): Promise<void> {
  await deleteSourceGroup(change, sourceId, group);
  await deleteScopeGroup(change, group.groupId);
}

/** The name of a collection or value as the name of a group. */
function groupNameOf(text: string): string {
  const line = text
    .toWellFormed()
    .replace(new RegExp(directionControls.source, 'gu'), '')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: a name is one line
    .replace(/[\x00-\x1f\x7f-\x9f\u2028\u2029]+/g, ' ')
    .trim()
    .normalize('NFC');
  return shortened(line === '' ? 'Untitled' : line, maxNameLength);
}

const maxNumber = 1_000;

/** If the name is taken, a number is added to it: "Team (2)". */
async function withFreeName<T>(
  change: Change,
  wanted: string,
  work: (name: string) => Promise<T>,
): Promise<T> {
  for (let number = 1; ; number += 1) {
    const name = numbered(wanted, number);
    if (number < maxNumber && (await isGroupNameTaken(change, name))) continue;
    try {
      return await change.savepoint(() => work(name));
    } catch (error) {
      // Someone else took the name at the same time.
      if (number >= maxNumber || !(error instanceof ApiError && error.code === 'access_group_name_taken')) {
        throw error;
      }
    }
  }
}

function numbered(name: string, number: number): string {
  if (number < 2) return name;
  const ending = ` (${number})`;
  return shortened(name, maxNameLength - ending.length) + ending;
}

function numberIn(name: string): number {
  return Number(/ \((\d{1,4})\)$/.exec(name)?.[1] ?? 1);
}

function shortened(text: string, maxLength: number): string {
  return lengthOf(text) <= maxLength ? text : [...text].slice(0, maxLength).join('').trim();
}

export {
  type SourceGroup,
  selectSourceGroups as findSourceGroups,
  updateUnusedSince,
} from './source-group-store.ts';
