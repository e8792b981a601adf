import sql, { empty } from 'sql-template-tag';
import type { Timestamp } from '../../base/clock.ts';
import { type Queries, type Transaction, toBoolean } from '../../storage/database.ts';
import type { SiteData, SiteView } from '../../storage/site-view.ts';
import { inBatches } from '../../storage/sql/batches.ts';
import { keyList, valueList } from '../../storage/sql/value-list.ts';
import type { MembershipRow } from './membership.ts';

const columns = ['site_id', 'group_id', 'member_id', 'source', 'added_at', 'expires_at'] as const;

/** Identifies a membership. */
export interface MembershipKey {
  group_id: string;
  member_id: string;
}

/** Inserts memberships that do not exist. Returns the new ones. */
export function insertMemberships(
  { db, siteId }: SiteData<Transaction>,
  rows: readonly MembershipRow[],
): Promise<MembershipKey[]> {
  return db.insert(
    'memberships',
    columns,
    rows.map((row) => [siteId, row.group_id, row.member_id, row.source, row.added_at, row.expires_at]),
    'ON CONFLICT (site_id, group_id, member_id) DO NOTHING RETURNING group_id, member_id',
  );
}

/**
 * Finds a current membership. An expired one, or one of a deleted group, is not returned, even before it is removed.
 */
export function selectMembership(
  { db, siteId, now }: SiteView,
  groupId: string,
  memberId: string,
): Promise<MembershipRow | undefined> {
  return db.get<MembershipRow>(sql`
    SELECT group_id, member_id, source, added_at, expires_at FROM memberships
    WHERE site_id = ${siteId} AND group_id = ${groupId} AND member_id = ${memberId}
      AND (expires_at IS NULL OR expires_at > ${now})
      AND EXISTS (SELECT 1 FROM access_groups g WHERE g.site_id = ${siteId} AND g.id = ${groupId})`);
}

/** The highest session limit of a member's groups; null if none has one. */
export async function selectSessionLimitOfGroups(
  { db, siteId, now }: SiteView,
  memberId: string,
): Promise<number | null> {
  const row = await db.get<{ highest: number | null }>(sql`
    SELECT max(g.max_sessions) AS highest FROM memberships m
    JOIN access_groups g ON g.site_id = ${siteId} AND g.id = m.group_id
    WHERE m.site_id = ${siteId} AND m.member_id = ${memberId} AND (m.expires_at IS NULL OR m.expires_at > ${now})`);
  return row!.highest;
}

/** Whether the member list of a group contains a member. An expired membership counts until it is removed. */
export async function hasMembershipRow(
  { db, siteId }: SiteData,
  groupId: string,
  memberId: string,
): Promise<boolean> {
  const row = await db.get(sql`
    SELECT 1 AS one FROM memberships
    WHERE site_id = ${siteId} AND group_id = ${groupId} AND member_id = ${memberId}`);
  return row !== undefined;
}

// CROSS JOIN makes SQLite join in the written order, which starts with few rows; PostgreSQL can still reorder it.

export function selectGroupsOfMember(
  { db, siteId, now }: SiteView,
  memberId: string,
): Promise<{ id: string; name: string }[]> {
  return db.all(sql`
    SELECT g.id, g.name FROM memberships m CROSS JOIN access_groups g
    WHERE g.site_id = ${siteId} AND g.id = m.group_id AND m.site_id = ${siteId} AND m.member_id = ${memberId}
      AND (m.expires_at IS NULL OR m.expires_at > ${now})
    ORDER BY g.name`);
}

/** A group of a member, and the end of the membership. */
export interface GroupOfMember {
  readonly memberId: string;
  readonly id: string;
  readonly name: string;
  readonly expiresAt: Timestamp | null;
}

/** The groups of members, ordered by name. */
export function selectGroupsOfMembers(
  { db, siteId, now }: SiteView,
  memberIds: readonly string[],
): Promise<GroupOfMember[]> {
  return db.all(sql`
    SELECT m.member_id AS "memberId", g.id, g.name, m.expires_at AS "expiresAt"
    FROM memberships m CROSS JOIN access_groups g
    WHERE g.site_id = ${siteId} AND g.id = m.group_id AND m.site_id = ${siteId}
      AND m.member_id IN ${valueList(memberIds)} AND (m.expires_at IS NULL OR m.expires_at > ${now})
    ORDER BY g.name`);
}

/** The ids of all groups of members, in the order in which groups are locked. */
export function selectGroupIdsOfMembers(
  { db, siteId }: SiteData,
  memberIds: readonly string[],
): Promise<{ group_id: string }[]> {
  return db.all(sql`
    SELECT DISTINCT group_id FROM memberships
    WHERE site_id = ${siteId} AND member_id IN ${valueList(memberIds)} ORDER BY group_id`);
}

export async function updateMembershipEnds(
  { db, siteId }: SiteData<Transaction>,
  groupId: string,
  memberIds: readonly string[],
  expiresAt: Timestamp | null,
): Promise<void> {
  await inBatches(memberIds, async (ids) => {
    await db.run(sql`
      UPDATE memberships SET expires_at = ${expiresAt}
      WHERE site_id = ${siteId} AND group_id = ${groupId} AND member_id IN ${valueList(ids)}`);
    return [];
  });
}

/** The current memberships of some members in a group. */
export function selectMembershipsOf(
  { db, siteId, now }: SiteView,
  groupId: string,
  memberIds: readonly string[],
): Promise<MembershipRow[]> {
  return inBatches(memberIds, (ids) =>
    db.all<MembershipRow>(sql`
      SELECT group_id, member_id, source, added_at, expires_at FROM memberships
      WHERE site_id = ${siteId} AND group_id = ${groupId} AND member_id IN ${valueList(ids)}
        AND (expires_at IS NULL OR expires_at > ${now})`),
  );
}

/** The memberships of a group, in the order of its members. */
export function selectMemberships(
  { db, siteId, now }: SiteView,
  groupId: string,
  after: string | undefined,
  limit: number,
): Promise<MembershipRow[]> {
  return db.all<MembershipRow>(sql`
    SELECT group_id, member_id, source, added_at, expires_at FROM memberships
    WHERE site_id = ${siteId} AND group_id = ${groupId} AND (expires_at IS NULL OR expires_at > ${now})
      ${after === undefined ? empty : sql`AND member_id < ${after}`}
    ORDER BY member_id DESC LIMIT ${limit}`);
}

/** Deletes the current memberships of some members in a group. Returns them. */
export function deleteMemberships(
  { db, siteId, now }: SiteView<Transaction>,
  groupId: string,
  memberIds: readonly string[],
): Promise<MembershipKey[]> {
  return inBatches(memberIds, (ids) =>
    db.all(sql`
      DELETE FROM memberships
      WHERE site_id = ${siteId} AND group_id = ${groupId} AND member_id IN ${valueList(ids)}
        AND (expires_at IS NULL OR expires_at > ${now})
      RETURNING group_id, member_id`),
  );
}

/** Deletes every membership of some members, expired or not. Returns them. */
export function deleteMembershipsOf(
  { db, siteId }: SiteData<Transaction>,
  memberIds: readonly string[],
): Promise<MembershipKey[]> {
  return inBatches(memberIds, (ids) =>
    db.all(sql`
      DELETE FROM memberships WHERE site_id = ${siteId} AND member_id IN ${valueList(ids)}
      RETURNING group_id, member_id`),
  );
}

/** A few expired memberships, over all sites. */
export function selectExpiredMemberships(
  db: Queries,
  now: Timestamp,
  limit: number,
): Promise<(MembershipKey & { site_id: string })[]> {
  return db.all(sql`
    SELECT site_id, group_id, member_id FROM memberships WHERE expires_at <= ${now}
    ORDER BY expires_at LIMIT ${limit}`);
}

/** Deletes those of the given memberships that have expired. Returns them. */
export function deleteExpiredMemberships(
  { db, siteId, now }: SiteView<Transaction>,
  keys: readonly MembershipKey[],
): Promise<MembershipRow[]> {
  const values = keys.map(({ group_id, member_id }) => [group_id, member_id]);
  return db.all<MembershipRow>(sql`
    DELETE FROM memberships
    WHERE site_id = ${siteId} AND expires_at <= ${now} AND (group_id, member_id) IN ${keyList(db, values)}
    RETURNING group_id, member_id, source, added_at, expires_at`);
}

/** Deletes the expired memberships of some members in some groups. Returns them. */
export function deleteExpiredMembershipsOf(
  { db, siteId, now }: SiteView<Transaction>,
  groupIds: readonly string[],
  memberIds: readonly string[],
): Promise<MembershipRow[]> {
  return inBatches(memberIds, (ids) =>
    db.all<MembershipRow>(sql`
      DELETE FROM memberships
      WHERE site_id = ${siteId} AND group_id IN ${valueList(groupIds)} AND member_id IN ${valueList(ids)}
        AND expires_at <= ${now}
      RETURNING group_id, member_id, source, added_at, expires_at`),
  );
}

/** A member of a group. */
export interface MemberOfGroup {
  readonly id: string;
  readonly email: string;
  readonly displayName: string | null;
  readonly paid: boolean | null;
}

/** Members in a group whose ids follow one, in that order, including those with an expired membership. */
export async function selectMembersOfGroup(
  { db, siteId }: SiteData,
  groupId: string,
  after: string | undefined,
  limit: number,
): Promise<MemberOfGroup[]> {
  const rows = await db.all<MemberOfGroup & { paid: boolean | number | null }>(sql`
    SELECT p.id, p.email, p.display_name AS "displayName", p.paid
    FROM memberships m CROSS JOIN members p
    WHERE m.site_id = ${siteId} AND m.group_id = ${groupId}
      ${after === undefined ? empty : sql`AND m.member_id > ${after}`}
      AND p.site_id = ${siteId} AND p.id = m.member_id
    ORDER BY m.member_id LIMIT ${limit}`);
  return rows.map((row) => ({ ...row, paid: row.paid === null ? null : toBoolean(row.paid) }));
}

/** The memberships of some members in some groups. */
export function selectMembershipsIn(
  { db, siteId }: SiteData,
  groupIds: readonly string[],
  memberIds: readonly string[],
): Promise<MembershipKey[]> {
  return inBatches(memberIds, (ids) =>
    db.all<MembershipKey>(sql`
      SELECT group_id, member_id FROM memberships
      WHERE site_id = ${siteId} AND member_id IN ${valueList(ids)} AND group_id IN ${valueList(groupIds)}`),
  );
}
