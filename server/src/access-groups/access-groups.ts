import type { AccessGroup } from '@gatehouse/contract';
import type { Cause } from '../base/cause.ts';
import type { Timestamp } from '../base/clock.ts';
import { newId, timeOfId } from '../base/ids.ts';
import { Refusal } from '../base/refusal.ts';
import { changesBetween } from '../events/event.ts';
import { recordEvents } from '../events/events.ts';
import { findDeparted, rememberDeparted } from '../routing/departed-items.ts';
import { type Page, toPage } from '../routing/page.ts';
import type { Precondition } from '../routing/precondition.ts';
import type { Queries, Transaction } from '../storage/database.ts';
import { isUniqueViolation } from '../storage/errors.ts';
import {
  checkDescription,
  checkGroupName,
  groupNotFound,
  refuseScopeGroup,
  toAccessGroup,
} from './access-group.ts';
import {
  type AccessGroupFilter,
  deleteAccessGroupRow,
  insertAccessGroup,
  isGroupNameTaken,
  lockAccessGroup,
  selectAccessGroup,
  selectAccessGroups,
  selectAccessGroupTypes,
  updateAccessGroupRow,
} from './access-group-store.ts';

const listName = 'access-groups';

export interface NewAccessGroup {
  readonly name: string;
  readonly description?: string | null;
}

/** Creates a custom group. @throws Refusal `invalid_request`, `access_group_name_taken` */
export async function createAccessGroup(
  tx: Transaction,
  siteId: string,
  input: NewAccessGroup,
  cause: Cause,
): Promise<AccessGroup> {
  const id = newId();
  const name = checkGroupName(input.name);
  const description = checkDescription(input.description ?? null);
  const createdAt = timeOfId(id);
  const row = { id, name, description, type: 'custom' as const, collection: null, createdAt };
  await insertAccessGroup(tx, siteId, row).catch(refuseTakenName);
  await recordEvents(tx, siteId, cause, [
    { type: 'access-group.created', groupId: id, data: { group: { id, name, description, type: 'custom' } } },
  ]);
  return { id, name, description, type: 'custom', memberCount: 0, createdAt, updatedAt: createdAt };
}

/** @throws Refusal `access_group_not_found` */
export async function findAccessGroup(
  db: Queries,
  siteId: string,
  groupId: string,
  now: Timestamp,
): Promise<AccessGroup> {
  const row = await selectAccessGroup(db, siteId, groupId, now);
  if (!row) throw groupNotFound();
  return toAccessGroup(row);
}

/** Finds a group that people may change, and keeps others from changing it until the transaction ends. */
export async function lockCustomGroup(
  tx: Transaction,
  siteId: string,
  groupId: string,
  now: Timestamp,
): Promise<AccessGroup> {
  const type = await lockAccessGroup(tx, siteId, groupId);
  if (type === undefined) throw groupNotFound();
  if (type === 'scope') throw refuseScopeGroup();
  return findAccessGroup(tx, siteId, groupId, now);
}

/** @throws Refusal `access_group_not_found`, `scope_group_read_only`; the first that applies, in the order of the ids */
export async function requireCustomGroups(
  db: Queries,
  siteId: string,
  groupIds: readonly string[],
): Promise<void> {
  if (groupIds.length === 0) return;
  const types = new Map(
    (await selectAccessGroupTypes(db, siteId, groupIds)).map(({ id, type }) => [id, type]),
  );
  for (const groupId of groupIds) {
    const type = types.get(groupId);
    if (type === undefined) throw groupNotFound();
    if (type === 'scope') throw refuseScopeGroup();
  }
}

export interface AccessGroupQuery extends AccessGroupFilter {
  readonly limit: number;
}

/** Lists groups, newest first. @throws Refusal `invalid_cursor` */
export async function listAccessGroups(
  db: Queries,
  siteId: string,
  query: AccessGroupQuery,
  now: Timestamp,
): Promise<Page<AccessGroup>> {
  const { after, limit } = query;
  if (after !== undefined && !(await selectAccessGroup(db, siteId, after, now))) {
    await findDeparted(db, siteId, listName, after, now);
  }
  return toPage(await selectAccessGroups(db, siteId, query, limit + 1, now), limit, toAccessGroup);
}

export interface AccessGroupChanges {
  readonly name?: string;
  readonly description?: string | null;
}

/** @throws Refusal `access_group_not_found`, `scope_group_read_only`, `access_group_name_taken`, `invalid_request` */
export async function updateAccessGroup(
  tx: Transaction,
  siteId: string,
  groupId: string,
  changes: AccessGroupChanges,
  cause: Cause,
  requireMatch: Precondition<AccessGroup>,
): Promise<AccessGroup> {
  const before = await lockCustomGroup(tx, siteId, groupId, cause.at);
  requireMatch(before);
  const after: AccessGroup = {
    ...before,
    ...(changes.name === undefined || changes.name === before.name
      ? {}
      : { name: checkGroupName(changes.name) }),
    ...(changes.description === undefined ? {} : { description: checkDescription(changes.description) }),
    updatedAt: cause.at,
  };
  const changed = changesBetween(before, after, ['name', 'description']);
  if (changed.length === 0) return before;
  // The constraint decides in the end, but it waits for whoever is changing the other group, which two that take each
  // other's names would do for ever.
  if (after.name !== before.name && (await isGroupNameTaken(tx, siteId, after.name))) throw nameTaken();
  await updateAccessGroupRow(tx, siteId, groupId, after.name, after.description, cause.at).catch(
    refuseTakenName,
  );
  await recordEvents(tx, siteId, cause, [
    { type: 'access-group.updated', groupId, data: { groupId, changes: changed } },
  ]);
  return after;
}

/** Deletes a group and its memberships; the members remain. @throws Refusal as `lockCustomGroup` */
export async function deleteAccessGroup(
  tx: Transaction,
  siteId: string,
  groupId: string,
  cause: Cause,
  requireMatch: Precondition<AccessGroup>,
): Promise<void> {
  const group = await lockCustomGroup(tx, siteId, groupId, cause.at);
  requireMatch(group);
  await deleteAccessGroupRow(tx, siteId, groupId);
  await rememberDeparted(tx, siteId, listName, [{ id: groupId }], cause.at);
  await recordEvents(tx, siteId, cause, [
    { type: 'access-group.deleted', groupId, data: { groupId, name: group.name } },
  ]);
}

function refuseTakenName(error: unknown): never {
  throw isUniqueViolation(error, 'access_groups_name') ? nameTaken() : error;
}

function nameTaken(): Refusal {
  return new Refusal(
    'access_group_name_taken',
    'An access group with this name exists. Choose another name.',
  );
}
