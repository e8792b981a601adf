import type { AccessGroup } from '@gatehouse/contract';
import sql, { empty, join, raw } from 'sql-template-tag';
import type { Timestamp } from '../../base/clock.ts';
import { foldCase } from '../../base/text/text.ts';
import type { Transaction } from '../../storage/database.ts';
import type { SiteData, SiteView } from '../../storage/site-view.ts';
import { allValues, countOf, firstValue, hasRow } from '../../storage/sql/results.ts';
import { forUpdate } from '../../storage/sql/row-lock.ts';
import { contains } from '../../storage/sql/text-search.ts';
import { valueList } from '../../storage/sql/value-list.ts';
import type { AccessGroupSettings } from './access-group.ts';

/** In the order of the contract. An expired membership does not count, even if it has not been removed yet. */
function columns(siteId: string, now: Timestamp) {
  return sql`
    g.id, g.name, g.description, g.type, g.source_id AS "sourceId", g.max_sessions AS "maxSessions",
    g.membership_count - (
      SELECT count(*) FROM memberships m
      WHERE m.site_id = ${siteId} AND m.group_id = g.id AND m.expires_at <= ${now}
    ) AS "memberCount",
    g.created_at AS "createdAt", g.updated_at AS "updatedAt"`;
}

export async function insertAccessGroup(
  { db, siteId }: SiteData<Transaction>,
  group: AccessGroup,
): Promise<void> {
  await db.run(sql`
    INSERT INTO access_groups
      (site_id, id, name, search_text, description, type, source_id, max_sessions, created_at, updated_at)
    VALUES (${siteId}, ${group.id}, ${group.name}, ${foldCase(group.name)}, ${group.description}, ${group.type},
            ${group.sourceId}, ${group.maxSessions}, ${group.createdAt}, ${group.updatedAt})`);
}

export function selectAccessGroup(
  { db, siteId, now }: SiteView,
  groupId: string,
): Promise<AccessGroup | undefined> {
  return db.get<AccessGroup>(
    sql`SELECT ${columns(siteId, now)} FROM access_groups g WHERE g.site_id = ${siteId} AND g.id = ${groupId}`,
  );
}

/** Locks a group's row until the transaction ends. Returns its type, or undefined when the group does not exist. */
export function lockAccessGroup(
  { db, siteId }: SiteData<Transaction>,
  groupId: string,
): Promise<string | undefined> {
  return firstValue(
    db,
    sql`SELECT type FROM access_groups WHERE site_id = ${siteId} AND id = ${groupId} ${forUpdate(db)}`,
  );
}

/**
 * Locks groups until the transaction ends, in the order of their ids. A transaction that changes several groups must
 * lock all of them before its first change. Otherwise it could wait for a group name held by another transaction,
 * which in turn waits for one of its groups.
 */
export async function lockAccessGroups(
  { db, siteId }: SiteData<Transaction>,
  groupIds: readonly string[],
): Promise<void> {
  if (db.dialect === 'sqlite' || groupIds.length === 0) return;
  await db.all(sql`
    SELECT id FROM access_groups WHERE site_id = ${siteId} AND id IN ${valueList(groupIds)}
    ORDER BY id ${forUpdate(db)}`);
}

export function selectAccessGroupTypes(
  { db, siteId }: SiteData,
  groupIds: readonly string[],
): Promise<{ id: string; type: string }[]> {
  return db.all(sql`
    SELECT id, type FROM access_groups WHERE site_id = ${siteId} AND id IN ${valueList(groupIds)}`);
}

export function selectAccessGroupIdsAndNames(
  { db, siteId }: SiteData,
  groupIds: readonly string[],
): Promise<{ id: string; name: string }[]> {
  return db.all(sql`
    SELECT id, name FROM access_groups WHERE site_id = ${siteId} AND id IN ${valueList(groupIds)}`);
}

export function selectAccessGroupNames(
  { db, siteId }: SiteData,
  groupIds: readonly string[],
): Promise<string[]> {
  return allValues(
    db,
    sql`SELECT name FROM access_groups WHERE site_id = ${siteId} AND id IN ${valueList(groupIds)} ORDER BY name`,
  );
}

export function isGroupNameTaken({ db, siteId }: SiteData, name: string): Promise<boolean> {
  return hasRow(db, sql`SELECT id FROM access_groups WHERE site_id = ${siteId} AND name = ${name}`);
}

export interface AccessGroupFilter {
  readonly after?: string;
  readonly type?: string;
  readonly q?: string;
}

export function selectAccessGroups(
  { db, siteId, now }: SiteView,
  filter: AccessGroupFilter,
  limit: number,
): Promise<AccessGroup[]> {
  const { after, type, q } = filter;
  return db.all<AccessGroup>(sql`
    SELECT ${columns(siteId, now)} FROM access_groups g
    WHERE g.site_id = ${siteId}
      ${after === undefined ? empty : sql`AND g.id < ${after}`}
      ${type === undefined ? empty : sql`AND g.type = ${type}`}
      ${q === undefined ? empty : sql`AND ${contains(db.dialect, raw('g.search_text'), foldCase(q))}`}
    ORDER BY g.id DESC LIMIT ${limit}`);
}

export function countAccessGroups({ db, siteId }: SiteData): Promise<number> {
  return countOf(db, sql`SELECT count(*) AS count FROM access_groups WHERE site_id = ${siteId}`);
}

export async function updateAccessGroupRow(
  { db, siteId, now }: SiteView<Transaction>,
  groupId: string,
  { name, description, maxSessions }: AccessGroupSettings,
): Promise<void> {
  await db.run(sql`
    UPDATE access_groups
    SET name = ${name}, search_text = ${foldCase(name)}, description = ${description}, max_sessions = ${maxSessions},
        updated_at = ${now}
    WHERE site_id = ${siteId} AND id = ${groupId}`);
}

/** Makes a scope group a custom group. */
export async function updateAccessGroupToCustom(
  { db, siteId, now }: SiteView<Transaction>,
  groupId: string,
): Promise<void> {
  await db.run(sql`
    UPDATE access_groups SET type = 'custom', source_id = NULL, updated_at = ${now}
    WHERE site_id = ${siteId} AND id = ${groupId}`);
}

export async function deleteAccessGroupRow(
  { db, siteId }: SiteData<Transaction>,
  groupId: string,
): Promise<void> {
  await db.run(sql`DELETE FROM access_groups WHERE site_id = ${siteId} AND id = ${groupId}`);
}

/**
 * Changes the counters of locked groups, in the transaction that adds or removes the memberships. Returns whether all of
 * them exist.
 */
export async function changeMembershipCounts(
  { db, siteId }: SiteData<Transaction>,
  differences: ReadonlyMap<string, number>,
): Promise<boolean> {
  if (differences.size === 0) return true;
  const cases = join(
    [...differences].map(([groupId, difference]) => sql`WHEN id = ${groupId} THEN ${difference}`),
    ' ',
  );
  const changed = await db.run(sql`
    UPDATE access_groups SET membership_count = membership_count + CASE ${cases} ELSE 0 END
    WHERE site_id = ${siteId} AND id IN ${valueList(differences.keys())}`);
  return changed === differences.size;
}
