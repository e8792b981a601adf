import type { AccessGroup, AccessGroupType, CreateAccessGroup, UpdateAccessGroup } from '@gatehouse/contract';
import type { Precondition } from '../../base/api-error.ts';
import { ApiError } from '../../base/api-error.ts';
import { newId, timeOfId } from '../../base/ids.ts';
import { type Page, pageOf } from '../../base/page.ts';
import type { Transaction } from '../../storage/database.ts';
import { isUniqueViolation } from '../../storage/errors.ts';
import type { SiteData, SiteView } from '../../storage/site-view.ts';
import { inBatches } from '../../storage/sql/batches.ts';
import { addTombstones, findTombstone } from '../cursors/cursor-tombstones.ts';
import type { Change } from '../events/change.ts';
import { changesBetween } from '../events/event.ts';
import {
  type AccessGroupSettings,
  checkDescription,
  checkGroupName,
  groupNotFound,
  scopeGroupReadOnly,
} from './access-group.ts';
import {
  type AccessGroupFilter,
  deleteAccessGroupRow,
  insertAccessGroup,
  isGroupNameTaken,
  lockAccessGroup,
  selectAccessGroup,
  selectAccessGroupNames,
  selectAccessGroups,
  selectAccessGroupTypes,
  updateAccessGroupRow,
  updateAccessGroupToCustom,
} from './access-group-store.ts';
import { insertDeletedGroup } from './deleted-group-store.ts';

const listName = 'access-groups';

/** Creates a custom group. @throws {ApiError} `invalid_request`, `access_group_name_taken` */
export function createAccessGroup(change: Change, input: CreateAccessGroup): Promise<AccessGroup> {
  return addGroup(change, {
    name: checkGroupName(input.name),
    description: checkDescription(input.description ?? null),
    type: 'custom',
    sourceId: null,
    maxSessions: input.maxSessions ?? null,
  });
}

/** Creates a scope group of a source. @throws {ApiError} `access_group_name_taken` */
export async function createScopeGroup(change: Change, sourceId: string, name: string): Promise<string> {
  const group = { name, description: null, type: 'scope', sourceId, maxSessions: null } as const;
  return (await addGroup(change, group)).id;
}

interface NewAccessGroup extends AccessGroupSettings {
  readonly type: AccessGroupType;
  /** Null for a custom group. */
  readonly sourceId: string | null;
}

async function addGroup(change: Change, values: NewAccessGroup): Promise<AccessGroup> {
  const id = newId();
  const createdAt = timeOfId(id);
  const group: AccessGroup = { id, ...values, memberCount: 0, createdAt, updatedAt: createdAt };
  await insertAccessGroup(change, group).catch(rejectTakenName);
  const { name, description, type } = values;
  const data = { group: { id, name, description, type } };
  change.record({ type: 'access-group.created', groupId: id, data });
  return group;
}

/** Renames a scope group. @throws {ApiError} `access_group_name_taken` */
export async function renameScopeGroup(
  change: Change,
  { id: groupId, name: from, description, maxSessions }: AccessGroup,
  to: string,
): Promise<void> {
  await updateAccessGroupRow(change, groupId, { name: to, description, maxSessions }).catch(rejectTakenName);
  change.record({
    type: 'access-group.updated',
    groupId,
    data: { groupId, changes: [{ field: 'name', from, to }] },
  });
}

/** @throws {ApiError} `access_group_not_found` */
export async function findAccessGroup(view: SiteView, groupId: string): Promise<AccessGroup> {
  const group = await selectAccessGroup(view, groupId);
  if (!group) throw groupNotFound();
  return group;
}

export {
  changeMembershipCounts,
  countAccessGroups,
  isGroupNameTaken,
  lockAccessGroup,
  lockAccessGroups,
  selectAccessGroupIdsAndNames as findAccessGroupIdsAndNames,
} from './access-group-store.ts';

/** Whether the group exists on the site. */
export async function hasAccessGroup(view: SiteData, groupId: string): Promise<boolean> {
  return (await selectAccessGroupTypes(view, [groupId])).length > 0;
}

/** Returns the types of the given groups; groups that do not exist are omitted. */
export function findAccessGroupTypes(
  view: SiteData,
  groupIds: readonly string[],
): Promise<{ id: string; type: string }[]> {
  return inBatches(groupIds, (ids) => selectAccessGroupTypes(view, ids));
}

/** The names of the given groups, sorted; groups that do not exist are omitted. */
export function findAccessGroupNames(view: SiteData, groupIds: readonly string[]): Promise<string[]> {
  return inBatches(groupIds, (ids) => selectAccessGroupNames(view, ids));
}

/** @param groupIds each one once @throws {ApiError} `access_group_not_found` unless all of them exist */
export async function requireAccessGroups(view: SiteData, groupIds: readonly string[]): Promise<void> {
  if ((await findAccessGroupTypes(view, groupIds)).length < groupIds.length) throw groupNotFound();
}

/** Finds a group that can be edited, and locks it until the transaction ends. */
export async function lockCustomGroup(view: SiteView<Transaction>, groupId: string): Promise<AccessGroup> {
  const type = await lockAccessGroup(view, groupId);
  if (type === undefined) throw groupNotFound();
  if (type === 'scope') throw scopeGroupReadOnly();
  return findAccessGroup(view, groupId);
}

/**
 * @throws {ApiError} `access_group_not_found`, `scope_group_read_only`; for the first group that fails, in the order
 * of the ids
 */
export async function requireCustomGroups(view: SiteData, groupIds: readonly string[]): Promise<void> {
  const types = new Map((await findAccessGroupTypes(view, groupIds)).map(({ id, type }) => [id, type]));
  for (const groupId of groupIds) {
    const type = types.get(groupId);
    if (type === undefined) throw groupNotFound();
    if (type === 'scope') throw scopeGroupReadOnly();
  }
}

export interface AccessGroupQuery extends AccessGroupFilter {
  readonly limit: number;
}

/** Lists groups, newest first. @throws {ApiError} `invalid_cursor` */
export async function listAccessGroups(view: SiteView, query: AccessGroupQuery): Promise<Page<AccessGroup>> {
  const { after, limit } = query;
  if (after !== undefined && !(await selectAccessGroup(view, after))) {
    await findTombstone(view, listName, after);
  }
  return pageOf(await selectAccessGroups(view, query, limit + 1), limit);
}

/**
 * @throws {ApiError} `access_group_not_found`, `scope_group_read_only`, `access_group_name_taken`, `invalid_request`
 */
export async function updateAccessGroup(
  change: Change,
  groupId: string,
  changes: UpdateAccessGroup,
  requireMatch: Precondition<AccessGroup>,
): Promise<AccessGroup> {
  const before = await lockCustomGroup(change, groupId);
  requireMatch(before);
  const { name = before.name, description = before.description, maxSessions = before.maxSessions } = changes;
  const after: AccessGroup = {
    ...before,
    name: name === before.name ? name : checkGroupName(name),
    description: checkDescription(description),
    maxSessions,
    updatedAt: change.now,
  };
  const changed = changesBetween(before, after, ['name', 'description', 'maxSessions']);
  if (changed.length === 0) return before;
  // The unique constraint has the final say. But it waits for a concurrent change of the other group, so two groups
  // that swap names would deadlock without this check.
  if (after.name !== before.name && (await isGroupNameTaken(change, after.name))) throw nameTaken();
  await updateAccessGroupRow(change, groupId, after).catch(rejectTakenName);
  change.record({ type: 'access-group.updated', groupId, data: { groupId, changes: changed } });
  return after;
}

/**
 * Deletes a group; the members remain. From then on none of them is in it, but its memberships are deleted a few at a
 * time afterwards. @throws {ApiError} as `lockCustomGroup`
 */
export async function deleteAccessGroup(
  change: Change,
  groupId: string,
  requireMatch: Precondition<AccessGroup>,
): Promise<void> {
  const group = await lockCustomGroup(change, groupId);
  requireMatch(group);
  await removeGroup(change, group);
}

/** Deletes a group of a source, as `deleteAccessGroup` does. */
export async function deleteScopeGroup(change: Change, groupId: string): Promise<void> {
  await lockAccessGroup(change, groupId);
  await removeGroup(change, await findAccessGroup(change, groupId));
}

/** Makes a group of a source a custom group. */
export async function releaseScopeGroup(change: Change, groupId: string): Promise<void> {
  await updateAccessGroupToCustom(change, groupId);
  const changes = [{ field: 'type', from: 'scope', to: 'custom' }];
  change.record({ type: 'access-group.updated', groupId, data: { groupId, changes } });
}

async function removeGroup(change: Change, { id: groupId, name }: AccessGroup): Promise<void> {
  await deleteAccessGroupRow(change, groupId);
  await insertDeletedGroup(change, groupId);
  await addTombstones(change, [{ list: listName, id: groupId }]);
  change.record({ type: 'access-group.deleted', groupId, data: { groupId, name } });
}

function rejectTakenName(error: unknown): never {
  throw isUniqueViolation(error, 'access_groups_name') ? nameTaken() : error;
}

function nameTaken(): ApiError {
  return new ApiError(
    'access_group_name_taken',
    'An access group with this name already exists. Choose another name.',
  );
}
