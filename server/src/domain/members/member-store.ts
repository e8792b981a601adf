import sql, { empty, join } from 'sql-template-tag';
import type { Timestamp } from '../../base/clock.ts';
import type { Transaction } from '../../storage/database.ts';
import type { SiteData, SiteView } from '../../storage/site-view.ts';
import { forUpdate, forUpdateById } from '../../storage/sql/row-lock.ts';
import { withFixedText } from '../../storage/sql/statement.ts';
import { valueList } from '../../storage/sql/value-list.ts';
import { type MemberGroupRow, type MemberRow, nameKeyOf, searchTextOf } from './member.ts';

/** With the names and in the order of `MemberRow`. */
export const memberColumns = sql`
  id, email, display_name AS "displayName", status, verified, paid, registered_at AS "registeredAt",
  last_login_at AS "lastLoginAt", created_at AS "createdAt", updated_at AS "updatedAt"`;

export interface NewMemberRow {
  readonly id: string;
  readonly email: string;
  readonly displayName: string | null;
  readonly paid: boolean;
  readonly registeredAt: Timestamp;
  readonly createdAt: Timestamp;
  readonly createdByRequest: string | null;
}

const insertColumns = [
  'site_id',
  'id',
  'email',
  'display_name',
  'name_key',
  'search_text',
  'status',
  'verified',
  'paid',
  'registered_at',
  'created_at',
  'updated_at',
  'created_by_request',
] as const;

/**
 * Inserts members whose email address is free, and returns their ids. The unique constraint decides, also between
 * concurrent requests. Addresses are inserted in a fixed order, so that two requests do not deadlock.
 */
export async function insertMembers(
  { db, siteId }: SiteData<Transaction>,
  members: readonly NewMemberRow[],
): Promise<Set<string>> {
  const ordered =
    db.dialect === 'postgres' ? members.toSorted((a, b) => (a.email < b.email ? -1 : 1)) : members;
  const inserted = await db.insert<{ id: string }>(
    'members',
    insertColumns,
    ordered.map(({ id, email, displayName, paid, registeredAt, createdAt, createdByRequest }) => [
      siteId,
      id,
      email,
      displayName,
      nameKeyOf(displayName),
      searchTextOf(email, displayName),
      'active',
      false,
      paid,
      registeredAt,
      createdAt,
      createdAt,
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
  return db.all<MemberGroupRow>(memberWithGroups(siteId, memberId, now));
}

const memberWithGroups = withFixedText(
  (siteId: string, memberId: string, now: Timestamp) => sql`
    SELECT m.id, m.email, m.display_name AS "displayName", m.status, m.verified, m.paid,
           m.registered_at AS "registeredAt", m.last_login_at AS "lastLoginAt", m.created_at AS "createdAt",
           m.updated_at AS "updatedAt", g.id AS "groupId", g.name AS "groupName"
    FROM members m
    LEFT JOIN memberships ms ON ms.site_id = ${siteId} AND ms.member_id = m.id
      AND (ms.expires_at IS NULL OR ms.expires_at > ${now})
    LEFT JOIN access_groups g ON g.site_id = ${siteId} AND g.id = ms.group_id
    WHERE m.site_id = ${siteId} AND m.id = ${memberId}
    ORDER BY g.name`,
);

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
    SET verified = ${true}, last_login_at = ${now}, registered_at = COALESCE(registered_at, ${now}), updated_at = ${now}
    WHERE site_id = ${siteId} AND id = ${memberId}`);
}

export interface MemberState {
  readonly email: string;
  readonly displayName: string | null;
  readonly paid: boolean | null;
  readonly status: string;
}

export async function updateMemberRow(
  { db, siteId, now }: SiteView<Transaction>,
  memberId: string,
  { email, displayName, paid, status }: MemberState,
): Promise<void> {
  await db.run(sql`
    UPDATE members
    SET email = ${email}, display_name = ${displayName}, name_key = ${nameKeyOf(displayName)},
        search_text = ${searchTextOf(email, displayName)}, paid = ${paid}, status = ${status}, updated_at = ${now}
    WHERE site_id = ${siteId} AND id = ${memberId}`);
}

/** Sets the names of many members. */
export async function updateDisplayNames(
  { db, siteId, now }: SiteView<Transaction>,
  renames: readonly {
    readonly member: { readonly id: string; readonly email: string };
    readonly to: string | null;
  }[],
): Promise<[]> {
  const chosen = (value: (email: string, name: string | null) => string | null) =>
    join(
      renames.map(({ member, to }) => sql`WHEN id = ${member.id} THEN ${value(member.email, to)}`),
      ' ',
    );
  await db.run(sql`
    UPDATE members
    SET display_name = CASE ${chosen((_, name) => name)} END,
        name_key = CASE ${chosen((_, name) => nameKeyOf(name))} END,
        search_text = CASE ${chosen(searchTextOf)} END, updated_at = ${now}
    WHERE site_id = ${siteId} AND id IN (${join(renames.map(({ member }) => member.id))})`);
  return [];
}

/** Sets the same values for many members. */
export async function updateMemberStates(
  { db, siteId, now }: SiteView<Transaction>,
  memberIds: readonly string[],
  { paid, status }: { readonly paid?: boolean | null; readonly status?: string },
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
