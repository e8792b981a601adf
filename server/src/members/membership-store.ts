import sql, { empty, join } from 'sql-template-tag';
import type { Timestamp } from '../base/clock.ts';
import type { Queries, Transaction } from '../storage/database.ts';
import type { GroupMemberRow } from './member.ts';
import type { MembershipRow } from './membership.ts';

const columns = ['site_id', 'group_id', 'member_id', 'source', 'added_at', 'expires_at'] as const;

/** Inserts those that are not there. Gives their group and member. */
export function insertMemberships(
  tx: Transaction,
  siteId: string,
  rows: readonly MembershipRow[],
): Promise<{ group_id: string; member_id: string }[]> {
  return tx.insert(
    'memberships',
    columns,
    rows.map((row) => [siteId, row.group_id, row.member_id, row.source, row.added_at, row.expires_at]),
    'ON CONFLICT (site_id, group_id, member_id) DO NOTHING RETURNING group_id, member_id',
  );
}

/** A membership in force: past its time it is none, even before it is removed. */
export function selectMembership(
  db: Queries,
  siteId: string,
  groupId: string,
  memberId: string,
  now: Timestamp,
): Promise<MembershipRow | undefined> {
  return db.get<MembershipRow>(sql`
    SELECT group_id, member_id, source, added_at, expires_at FROM memberships
    WHERE site_id = ${siteId} AND group_id = ${groupId} AND member_id = ${memberId}
      AND (expires_at IS NULL OR expires_at > ${now})`);
}

/** Whether a member has a place in the list of a group. It keeps the place past its time, until it is removed. */
export async function hasPlaceInGroup(
  db: Queries,
  siteId: string,
  groupId: string,
  memberId: string,
): Promise<boolean> {
  const row = await db.get(sql`
    SELECT 1 AS one FROM memberships
    WHERE site_id = ${siteId} AND group_id = ${groupId} AND member_id = ${memberId}`);
  return row !== undefined;
}

// CROSS JOIN keeps SQLite to the order written, which is the one that begins with few rows; PostgreSQL is free anyway.

export function selectGroupsOfMember(
  db: Queries,
  siteId: string,
  memberId: string,
  now: Timestamp,
): Promise<{ id: string; name: string }[]> {
  return db.all(sql`
    SELECT g.id, g.name FROM memberships m CROSS JOIN access_groups g
    WHERE g.site_id = m.site_id AND g.id = m.group_id AND m.site_id = ${siteId} AND m.member_id = ${memberId} AND (m.expires_at IS NULL OR m.expires_at > ${now})
    ORDER BY g.name`);
}

/** The members of a group, newest first. */
export function selectGroupMembers(
  db: Queries,
  siteId: string,
  groupId: string,
  after: string | undefined,
  limit: number,
  now: Timestamp,
): Promise<GroupMemberRow[]> {
  return db.all<GroupMemberRow>(sql`
    SELECT p.id, p.email, p.display_name, p.status, p.verified, p.paid, p.registered_at, p.last_login_at
    FROM memberships m CROSS JOIN members p
    WHERE p.site_id = m.site_id AND p.id = m.member_id AND m.site_id = ${siteId} AND m.group_id = ${groupId} AND (m.expires_at IS NULL OR m.expires_at > ${now})
      ${after === undefined ? empty : sql`AND m.member_id < ${after}`}
    ORDER BY m.member_id DESC LIMIT ${limit}`);
}

/** Every membership of a member, those past their time included, in the order in which groups are locked. */
export function selectAllGroupIdsOfMember(
  db: Queries,
  siteId: string,
  memberId: string,
): Promise<{ group_id: string }[]> {
  return db.all(sql`
    SELECT group_id FROM memberships WHERE site_id = ${siteId} AND member_id = ${memberId} ORDER BY group_id`);
}

/** Every group that some members are in, in the order in which groups are locked. */
export function selectGroupIdsOfMembers(
  db: Queries,
  siteId: string,
  memberIds: readonly string[],
): Promise<{ group_id: string }[]> {
  return db.all(sql`
    SELECT DISTINCT group_id FROM memberships
    WHERE site_id = ${siteId} AND member_id IN (${join([...memberIds])}) ORDER BY group_id`);
}

export async function updateMembershipEnds(
  tx: Transaction,
  siteId: string,
  groupId: string,
  memberIds: readonly string[],
  expiresAt: Timestamp | null,
): Promise<void> {
  await tx.run(sql`
    UPDATE memberships SET expires_at = ${expiresAt}
    WHERE site_id = ${siteId} AND group_id = ${groupId} AND member_id IN (${join([...memberIds])})`);
}

/** The memberships in force that some members have in a group. */
export function selectMembershipsOf(
  db: Queries,
  siteId: string,
  groupId: string,
  memberIds: readonly string[],
  now: Timestamp,
): Promise<MembershipRow[]> {
  return db.all<MembershipRow>(sql`
    SELECT group_id, member_id, source, added_at, expires_at FROM memberships
    WHERE site_id = ${siteId} AND group_id = ${groupId} AND member_id IN (${join([...memberIds])})
      AND (expires_at IS NULL OR expires_at > ${now})`);
}

/** The memberships of a group, in the order of its members. */
export function selectMemberships(
  db: Queries,
  siteId: string,
  groupId: string,
  after: string | undefined,
  limit: number,
  now: Timestamp,
): Promise<MembershipRow[]> {
  return db.all<MembershipRow>(sql`
    SELECT group_id, member_id, source, added_at, expires_at FROM memberships
    WHERE site_id = ${siteId} AND group_id = ${groupId} AND (expires_at IS NULL OR expires_at > ${now})
      ${after === undefined ? empty : sql`AND member_id < ${after}`}
    ORDER BY member_id DESC LIMIT ${limit}`);
}

export async function deleteMembership(
  tx: Transaction,
  siteId: string,
  groupId: string,
  memberId: string,
): Promise<boolean> {
  const deleted = await tx.run(sql`
    DELETE FROM memberships WHERE site_id = ${siteId} AND group_id = ${groupId} AND member_id = ${memberId}`);
  return deleted > 0;
}

/** A few groups with memberships past their time, in the order in which groups are locked. */
export function selectGroupIdsWithExpired(
  db: Queries,
  siteId: string,
  now: Timestamp,
  limit: number,
): Promise<{ group_id: string }[]> {
  return db.all(sql`
    SELECT DISTINCT group_id FROM memberships WHERE site_id = ${siteId} AND expires_at <= ${now}
    ORDER BY group_id LIMIT ${limit}`);
}

/** Deletes a few memberships past their time of one group, or of one member in it. */
export async function deleteExpiredMemberships(
  tx: Transaction,
  siteId: string,
  groupId: string,
  now: Timestamp,
  limit: number,
  memberId?: string,
): Promise<MembershipRow[]> {
  return tx.all<MembershipRow>(sql`
    DELETE FROM memberships WHERE site_id = ${siteId} AND group_id = ${groupId} AND member_id IN (
      SELECT member_id FROM memberships
      WHERE site_id = ${siteId} AND group_id = ${groupId} AND expires_at <= ${now}
        ${memberId === undefined ? empty : sql`AND member_id = ${memberId}`}
      LIMIT ${limit})
    RETURNING group_id, member_id, source, added_at, expires_at`);
}
