import type { Member } from '@gatehouse/contract';
import sql, { empty, join, raw, type Sql } from 'sql-template-tag';
import type { PageQuery } from '../../base/page.ts';
import type { Transaction } from '../../storage/database.ts';
import type { SiteData, SiteView } from '../../storage/site-view.ts';
import { forUpdate, forUpdateById } from '../../storage/sql/row-lock.ts';
import { valueList } from '../../storage/sql/value-list.ts';
import type { MemberGroupRow, MemberRow } from './member.ts';
import { columnOf, textColumns } from './member-columns.ts';

/** The columns of a member as a statement selects them, with the names and in the order of `Member`. */
export const memberColumns = selected('');
/** The same in a statement that calls the table `m`. */
const memberColumnsOfM = selected('m.');

function selected(prefix: string): Sql {
  return raw(
    Object.entries(columnOf)
      .map(([field, column]) => `${prefix}${column} AS "${field}"`)
      .join(', '),
  );
}

const insertColumns = [
  'site_id',
  'id',
  'email',
  ...textColumns.map(({ name }) => name),
  'status',
  'verified',
  'paid',
  'registered_at',
  'created_at',
  'updated_at',
  'created_by_request',
];

/**
 * Inserts members whose email address is free, and returns their ids. The unique constraint decides, also between
 * concurrent requests. Addresses are inserted in a fixed order, so that two requests do not deadlock.
 */
export async function insertMembers(
  { db, siteId }: SiteData<Transaction>,
  members: readonly Member[],
  createdByRequest: string | null,
): Promise<Set<string>> {
  const ordered =
    db.dialect === 'postgres' ? members.toSorted((a, b) => (a.email < b.email ? -1 : 1)) : members;
  const inserted = await db.insert<{ id: string }>(
    'members',
    insertColumns,
    ordered.map((member) => [
      siteId,
      member.id,
      member.email,
      ...textColumns.map(({ value }) => value(member)),
      member.status,
      member.verified,
      member.paid,
      member.registeredAt,
      member.createdAt,
      member.updatedAt,
      createdByRequest,
    ]),
    'ON CONFLICT (site_id, email) DO NOTHING RETURNING id',
  );
  return new Set(inserted.map(({ id }) => id));
}

export function selectMember({ db, siteId }: SiteData, memberId: string): Promise<MemberRow | undefined> {
  return db.get<MemberRow>(
    sql`SELECT ${memberColumns} FROM members WHERE site_id = ${siteId} AND id = ${memberId}`,
  );
}

/** Selects a member with its groups, ordered by name. In one statement, because it runs at many requests. */
export function selectMemberWithGroups(
  { db, siteId, now }: SiteView,
  memberId: string,
): Promise<MemberGroupRow[]> {
  return db.all<MemberGroupRow>(sql`
    SELECT ${memberColumnsOfM}, g.id AS "groupId", g.name AS "groupName"
    FROM members m
    LEFT JOIN memberships ms ON ms.site_id = ${siteId} AND ms.member_id = m.id
      AND (ms.expires_at IS NULL OR ms.expires_at > ${now})
    LEFT JOIN access_groups g ON g.site_id = ${siteId} AND g.id = ms.group_id
    WHERE m.site_id = ${siteId} AND m.id = ${memberId}
    ORDER BY g.name`);
}

export function selectMemberByEmail({ db, siteId }: SiteData, email: string): Promise<MemberRow | undefined> {
  return db.get<MemberRow>(
    sql`SELECT ${memberColumns} FROM members WHERE site_id = ${siteId} AND email = ${email}`,
  );
}

export function selectMembersByEmail(
  { db, siteId }: SiteData,
  emails: readonly string[],
): Promise<MemberRow[]> {
  return db.all<MemberRow>(
    sql`SELECT ${memberColumns} FROM members WHERE site_id = ${siteId} AND email IN ${valueList(emails)}`,
  );
}

export function selectMembersById(
  { db, siteId }: SiteData,
  memberIds: readonly string[],
): Promise<MemberRow[]> {
  return db.all<MemberRow>(
    sql`SELECT ${memberColumns} FROM members WHERE site_id = ${siteId} AND id IN ${valueList(memberIds)}`,
  );
}

/** The members of a group, newest first. */
export function selectGroupMembers(
  { db, siteId, now }: SiteView,
  groupId: string,
  { after, limit }: PageQuery,
): Promise<MemberRow[]> {
  return db.all<MemberRow>(sql`
    SELECT ${memberColumnsOfM}
    FROM memberships g CROSS JOIN members m
    WHERE m.site_id = ${siteId} AND m.id = g.member_id AND g.site_id = ${siteId} AND g.group_id = ${groupId}
      AND (g.expires_at IS NULL OR g.expires_at > ${now}) ${after === undefined ? empty : sql`AND g.member_id < ${after}`}
    ORDER BY g.member_id DESC LIMIT ${limit}`);
}

/** Reads a member and locks its row until the transaction ends. */
export function lockMemberRow(
  { db, siteId }: SiteData<Transaction>,
  memberId: string,
): Promise<MemberRow | undefined> {
  return db.get<MemberRow>(sql`
    SELECT ${memberColumns} FROM members WHERE site_id = ${siteId} AND id = ${memberId} ${forUpdate(db)}`);
}

/** Like `lockMemberRow`, for the existing members of a list, in the order of their ids. */
export function lockMemberRows(
  { db, siteId }: SiteData<Transaction>,
  memberIds: readonly string[],
): Promise<MemberRow[]> {
  return db.all<MemberRow>(sql`
    SELECT ${memberColumns} FROM members WHERE site_id = ${siteId} AND id IN ${valueList(memberIds)}
    ORDER BY id ${forUpdate(db)}`);
}

/** Like `lockMemberRow`, by email address. */
export function lockMemberRowByEmail(
  { db, siteId }: SiteData<Transaction>,
  email: string,
): Promise<MemberRow | undefined> {
  return db.get<MemberRow>(sql`
    SELECT ${memberColumns} FROM members WHERE site_id = ${siteId} AND email = ${email} ${forUpdate(db)}`);
}

/** Like `lockMemberRows`, by email address. */
export function lockMemberRowsByEmail(
  { db, siteId }: SiteData<Transaction>,
  emails: readonly string[],
): Promise<MemberRow[]> {
  return db.all<MemberRow>(sql`
    SELECT ${memberColumns} FROM members
    WHERE site_id = ${siteId} AND email IN ${valueList(new Set(emails))} ${forUpdateById(db)}`);
}

/** Whether a site has any members. */
export async function hasMembers({ db, siteId }: SiteData): Promise<boolean> {
  return (await db.get(sql`SELECT id FROM members WHERE site_id = ${siteId} LIMIT 1`)) !== undefined;
}

/** Records a login, which also verifies the email address. */
export async function markLoggedIn(
  { db, siteId, now }: SiteView<Transaction>,
  memberId: string,
): Promise<void> {
  await db.run(sql`
    UPDATE members
    SET verified = ${true}, last_login_at = ${now}, last_seen_at = ${now},
      registered_at = COALESCE(registered_at, ${now}), updated_at = ${now}
    WHERE site_id = ${siteId} AND id = ${memberId}`);
}

/** Records that a member uses the site now, unless a later use has been recorded. */
export async function markMemberSeen(
  { db, siteId, now }: SiteView<Transaction>,
  memberId: string,
): Promise<void> {
  await db.run(sql`
    UPDATE members SET last_seen_at = ${now}
    WHERE site_id = ${siteId} AND id = ${memberId} AND (last_seen_at IS NULL OR last_seen_at < ${now})`);
}

/** The same for the member of a session. */
export async function markSessionMemberSeen(
  { db, siteId, now }: SiteView<Transaction>,
  sessionId: string,
): Promise<void> {
  await db.run(sql`
    UPDATE members SET last_seen_at = ${now}
    WHERE site_id = ${siteId} AND id = (SELECT member_id FROM sessions WHERE site_id = ${siteId} AND id = ${sessionId})
      AND (last_seen_at IS NULL OR last_seen_at < ${now})`);
}

export async function updateMemberRow(
  { db, siteId, now }: SiteView<Transaction>,
  member: Member,
): Promise<void> {
  const texts = textColumns.map(({ name, value }) => sql`${raw(name)} = ${value(member)}`);
  await db.run(sql`
    UPDATE members
    SET email = ${member.email}, ${join(texts)}, paid = ${member.paid}, status = ${member.status}, updated_at = ${now}
    WHERE site_id = ${siteId} AND id = ${member.id}`);
}

/** Stores the texts of many members, except their email addresses. */
export async function updateTexts(
  { db, siteId, now }: SiteView<Transaction>,
  members: readonly Member[],
): Promise<[]> {
  const texts = textColumns.map(({ name, value }) => {
    const cases = members.map((member) => sql`WHEN id = ${member.id} THEN ${value(member)}`);
    return sql`${raw(name)} = CASE ${join(cases, ' ')} END`;
  });
  await db.run(sql`
    UPDATE members SET ${join(texts)}, updated_at = ${now}
    WHERE site_id = ${siteId} AND id IN ${valueList(members.map(({ id }) => id))}`);
  return [];
}

/** Values that many members get. A value that is missing stays. */
export type CommonValues = Partial<Pick<Member, 'paid' | 'status'>>;

export async function updateCommonValues(
  { db, siteId, now }: SiteView<Transaction>,
  memberIds: readonly string[],
  { paid, status }: CommonValues,
): Promise<[]> {
  const setPaid = paid === undefined ? empty : sql`paid = ${paid},`;
  const setStatus = status === undefined ? empty : sql`status = ${status},`;
  await db.run(sql`
    UPDATE members SET ${setPaid} ${setStatus} updated_at = ${now}
    WHERE site_id = ${siteId} AND id IN ${valueList(memberIds)}`);
  return [];
}

export async function deleteMemberRows(
  { db, siteId }: SiteData<Transaction>,
  memberIds: readonly string[],
): Promise<void> {
  await db.run(sql`DELETE FROM members WHERE site_id = ${siteId} AND id IN ${valueList(memberIds)}`);
}
