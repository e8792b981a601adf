import type { Membership } from '@gatehouse/contract';
import sql, { empty, join, raw } from 'sql-template-tag';
import type { Timestamp } from '../../base/clock.ts';
import type { Queries, Transaction } from '../../storage/database.ts';
import type { SiteData, SiteView } from '../../storage/site-view.ts';
import { inBatches } from '../../storage/sql/batches.ts';
import { booleanColumn, Columns, TableColumns } from '../../storage/sql/columns.ts';
import { allValues, firstValue, hasRow } from '../../storage/sql/results.ts';
import { keyList, valueList } from '../../storage/sql/value-list.ts';

const columns = new TableColumns<Membership>('memberships', {
  groupId: 'group_id',
  memberId: 'member_id',
  source: 'source',
  addedAt: 'added_at',
  expiresAt: 'expires_at',
});

const keyColumns = sql`group_id AS "groupId", member_id AS "memberId"`;

/** Identifies a membership. */
export interface MembershipKey {
  readonly groupId: string;
  readonly memberId: string;
}

/** A member, and a login provider whose groups memberships of this member follow. */
export interface ProviderMember {
  readonly memberId: string;
  readonly providerId: string;
}

/**
 * Inserts memberships that do not exist. Returns the new ones.
 * @param providerId the login provider whose groups they follow; null for others
 */
export function insertMemberships(
  view: SiteData<Transaction>,
  memberships: readonly Membership[],
  providerId: string | null = null,
): Promise<MembershipKey[]> {
  return columns.insert(view, memberships, {
    ...(providerId !== null && { more: { provider_id: providerId } }),
    ending: `ON CONFLICT (site_id, group_id, member_id) DO NOTHING RETURNING ${keyColumns.sql}`,
  });
}

/**
 * Finds a current membership. An expired one, or one of a deleted group, is not returned, even before it is removed.
 */
export function selectMembership(
  { db, siteId, now }: SiteView,
  groupId: string,
  memberId: string,
): Promise<Membership | undefined> {
  return db.get<Membership>(sql`
    SELECT ${columns.list} FROM memberships
    WHERE site_id = ${siteId} AND group_id = ${groupId} AND member_id = ${memberId}
      AND (expires_at IS NULL OR expires_at > ${now})
      AND EXISTS (SELECT 1 FROM access_groups g WHERE g.site_id = ${siteId} AND g.id = ${groupId})`);
}

/** The highest session limit of a member's groups; null if none has one. */
export async function selectSessionLimitOfGroups(
  { db, siteId, now }: SiteView,
  memberId: string,
): Promise<number | null> {
  const highest = await firstValue<number | null>(
    db,
    sql`SELECT max(g.max_sessions) AS highest FROM memberships m
    JOIN access_groups g ON g.site_id = ${siteId} AND g.id = m.group_id
    WHERE m.site_id = ${siteId} AND m.member_id = ${memberId} AND (m.expires_at IS NULL OR m.expires_at > ${now})`,
  );
  return highest ?? null;
}

/** Whether the member list of a group contains a member. An expired membership counts until it is removed. */
export function hasMembershipRow(
  { db, siteId }: SiteData,
  groupId: string,
  memberId: string,
): Promise<boolean> {
  return hasRow(
    db,
    sql`SELECT 1 AS one FROM memberships
      WHERE site_id = ${siteId} AND group_id = ${groupId} AND member_id = ${memberId}`,
  );
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
): Promise<string[]> {
  return allValues(
    db,
    sql`SELECT DISTINCT group_id FROM memberships
      WHERE site_id = ${siteId} AND member_id IN ${valueList(memberIds)} ORDER BY group_id`,
  );
}

/** The groups in which a member is because of a login provider. */
export function selectGroupsOfProvider(
  { db, siteId, now }: SiteView,
  providerId: string,
  memberId: string,
): Promise<string[]> {
  return allValues(
    db,
    sql`SELECT group_id FROM memberships
      WHERE site_id = ${siteId} AND member_id = ${memberId} AND provider_id = ${providerId}
        AND (expires_at IS NULL OR expires_at > ${now})`,
  );
}

/** The groups in which anyone is because of a login provider, in the order in which groups are locked. */
export function selectGroupIdsOfProvider({ db, siteId }: SiteData, providerId: string): Promise<string[]> {
  return allValues(
    db,
    sql`SELECT DISTINCT group_id FROM memberships
      WHERE site_id = ${siteId} AND provider_id = ${providerId} ORDER BY group_id`,
  );
}

export async function expireMembershipsOfProvider(
  { db, siteId, now }: SiteView<Transaction>,
  providerId: string,
  groupIds: readonly string[],
): Promise<void> {
  await db.run(sql`
    UPDATE memberships SET expires_at = ${now}
    WHERE site_id = ${siteId} AND provider_id = ${providerId} AND group_id IN ${valueList(groupIds)}
      AND (expires_at IS NULL OR expires_at > ${now})`);
}

/** The current memberships that follow login providers, of the given members at the given providers. */
export function selectMembershipsByProvider(
  { db, siteId, now }: SiteView,
  accounts: readonly ProviderMember[],
): Promise<MembershipKey[]> {
  return inBatches(accounts, (batch) => {
    const keys = batch.map(({ memberId, providerId }) => [memberId, providerId]);
    return db.all<MembershipKey>(sql`
      SELECT ${keyColumns} FROM memberships
      WHERE site_id = ${siteId} AND (member_id, provider_id) IN ${keyList(db, keys)}
        AND (expires_at IS NULL OR expires_at > ${now})
      ORDER BY group_id, member_id`);
  });
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
): Promise<Membership[]> {
  return inBatches(memberIds, (ids) =>
    db.all<Membership>(sql`
      SELECT ${columns.list} FROM memberships
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
): Promise<Membership[]> {
  return db.all<Membership>(sql`
    SELECT ${columns.list} FROM memberships
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
      RETURNING ${keyColumns}`),
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
      RETURNING ${keyColumns}`),
  );
}

/** A few expired memberships, over all sites. */
export function selectExpiredMemberships(
  db: Queries,
  now: Timestamp,
  limit: number,
): Promise<(MembershipKey & { siteId: string })[]> {
  return db.all(sql`
    SELECT site_id AS "siteId", ${keyColumns} FROM memberships WHERE expires_at <= ${now}
    ORDER BY expires_at LIMIT ${limit}`);
}

/** Deletes those of the given memberships that have expired. Returns them. */
export function deleteExpiredMemberships(
  { db, siteId, now }: SiteView<Transaction>,
  keys: readonly MembershipKey[],
): Promise<Membership[]> {
  const values = keys.map(({ groupId, memberId }) => [groupId, memberId]);
  return db.all<Membership>(sql`
    DELETE FROM memberships
    WHERE site_id = ${siteId} AND expires_at <= ${now} AND (group_id, member_id) IN ${keyList(db, values)}
    RETURNING ${columns.list}`);
}

/** Deletes the expired memberships of some members in some groups. Returns them. */
export function deleteExpiredMembershipsOf(
  { db, siteId, now }: SiteView<Transaction>,
  groupIds: readonly string[],
  memberIds: readonly string[],
): Promise<Membership[]> {
  return inBatches(memberIds, (ids) =>
    db.all<Membership>(sql`
      DELETE FROM memberships
      WHERE site_id = ${siteId} AND group_id IN ${valueList(groupIds)} AND member_id IN ${valueList(ids)}
        AND expires_at <= ${now}
      RETURNING ${columns.list}`),
  );
}

/** A member of a group, for those who need no more. */
export interface MemberOfGroup {
  readonly id: string;
  readonly email: string;
  readonly displayName: string | null;
  readonly paid: boolean | null;
}

const knownColumns = new Columns<MemberOfGroup>({
  id: 'p.id',
  email: 'p.email',
  displayName: 'p.display_name',
  paid: booleanColumn('p.paid'),
});

/** Members in a group whose ids follow one, in that order, including those with an expired membership. */
export function selectMembersOfGroup(
  { db, siteId }: SiteData,
  groupId: string,
  after: string | undefined,
  limit: number,
): Promise<MemberOfGroup[]> {
  return knownColumns.all(
    db,
    sql`
    SELECT ${knownColumns.list} FROM memberships m CROSS JOIN members p
    WHERE m.site_id = ${siteId} AND m.group_id = ${groupId}
      ${after === undefined ? empty : sql`AND m.member_id > ${after}`}
      AND p.site_id = ${siteId} AND p.id = m.member_id
    ORDER BY m.member_id LIMIT ${limit}`,
  );
}

/** The memberships of some members in some groups. */
export function selectMembershipsIn(
  { db, siteId }: SiteData,
  groupIds: readonly string[],
  memberIds: readonly string[],
): Promise<MembershipKey[]> {
  return inBatches(memberIds, (ids) =>
    db.all<MembershipKey>(sql`
      SELECT ${keyColumns} FROM memberships
      WHERE site_id = ${siteId} AND member_id IN ${valueList(ids)} AND group_id IN ${valueList(groupIds)}`),
  );
}

/**
 * How many memberships end until each time, without those of blocked members. They are read group by group, because an
 * index has the ends in each.
 */
export async function countEnds(
  { db, siteId, now }: SiteView,
  times: readonly Timestamp[],
): Promise<number[]> {
  const last = times.reduce((one, other) => (one > other ? one : other));
  const counts = (sign: string) =>
    join(
      times.map(
        (time, index) =>
          sql`${raw(sign)} count(*) FILTER (WHERE m.expires_at <= ${time}) AS ${raw(`until_${index}`)}`,
      ),
    );
  const ends = sql`
    m.site_id = ${siteId} AND m.expires_at > ${now} AND m.expires_at <= ${last}`;
  // Most members are not blocked: to subtract those who are is much faster than to look up the status of all. SQLite reads
  // the tables of a CROSS JOIN in this order.
  const row = await db.get<Record<string, unknown>>(sql`
    SELECT ${join(times.map((_, index) => raw(`sum(until_${index}) AS until_${index}`)))} FROM (
      SELECT ${counts('')} FROM access_groups g CROSS JOIN memberships m
      WHERE g.site_id = ${siteId} AND m.group_id = g.id AND ${ends}
      UNION ALL
      SELECT ${counts('-')} FROM members b CROSS JOIN memberships m CROSS JOIN access_groups g
      WHERE b.site_id = ${siteId} AND b.status = 'blocked' AND m.member_id = b.id AND ${ends}
        AND g.site_id = ${siteId} AND g.id = m.group_id
    ) parts`);
  return Object.values(row!).map(Number);
}
