import sql, { join } from 'sql-template-tag';
import type { Timestamp } from '../base/clock.ts';
import type { Queries, Transaction } from '../storage/database.ts';
import { forUpdate } from '../storage/row-lock.ts';
import { type MemberRow, nameKeyOf, searchTextOf } from './member.ts';

export const memberColumns = sql`
  id, email, display_name, status, verified, paid, registered_at, last_login_at, created_at, updated_at`;

export interface NewMemberRow {
  readonly id: string;
  readonly email: string;
  readonly displayName: string | null;
  readonly paid: boolean;
  readonly createdAt: Timestamp;
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
] as const;

/**
 * Inserts those whose address is free, and gives their ids. The constraint decides, also between requests that run
 * at once; it meets the addresses in one order, so that no two requests wait for each other.
 */
export async function insertMembers(
  tx: Transaction,
  siteId: string,
  members: readonly NewMemberRow[],
): Promise<Set<string>> {
  const ordered =
    tx.dialect === 'postgres' ? members.toSorted((a, b) => (a.email < b.email ? -1 : 1)) : members;
  const inserted = await tx.insert<{ id: string }>(
    'members',
    insertColumns,
    ordered.map(({ id, email, displayName, paid, createdAt }) => [
      siteId,
      id,
      email,
      displayName,
      nameKeyOf(displayName),
      searchTextOf(email, displayName),
      'active',
      false,
      paid,
      createdAt,
      createdAt,
      createdAt,
    ]),
    'ON CONFLICT (site_id, email) DO NOTHING RETURNING id',
  );
  return new Set(inserted.map(({ id }) => id));
}

export function selectMember(db: Queries, siteId: string, memberId: string): Promise<MemberRow | undefined> {
  return db.get<MemberRow>(
    sql`SELECT ${memberColumns} FROM members WHERE site_id = ${siteId} AND id = ${memberId}`,
  );
}

export function selectMemberByEmail(
  db: Queries,
  siteId: string,
  email: string,
): Promise<MemberRow | undefined> {
  return db.get<MemberRow>(
    sql`SELECT ${memberColumns} FROM members WHERE site_id = ${siteId} AND email = ${email}`,
  );
}

/** Reads a member and locks its row until the transaction ends. */
export function lockMemberRow(
  tx: Transaction,
  siteId: string,
  memberId: string,
): Promise<MemberRow | undefined> {
  return tx.get<MemberRow>(sql`
    SELECT ${memberColumns} FROM members WHERE site_id = ${siteId} AND id = ${memberId} ${forUpdate(tx)}`);
}

/** As `lockMemberRow`, of those there are, in the order of their ids. */
export function lockMemberRows(
  tx: Transaction,
  siteId: string,
  memberIds: readonly string[],
): Promise<MemberRow[]> {
  return tx.all<MemberRow>(sql`
    SELECT ${memberColumns} FROM members WHERE site_id = ${siteId} AND id IN (${join([...memberIds])})
    ORDER BY id ${forUpdate(tx)}`);
}

/** As `lockMemberRow`, by the address. */
export function lockMemberByEmail(
  tx: Transaction,
  siteId: string,
  email: string,
): Promise<MemberRow | undefined> {
  return tx.get<MemberRow>(sql`
    SELECT ${memberColumns} FROM members WHERE site_id = ${siteId} AND email = ${email} ${forUpdate(tx)}`);
}

/** Locks the members who have one of these addresses. Gives them by address. */
export async function lockMembersByEmail(
  tx: Transaction,
  siteId: string,
  emails: readonly string[],
): Promise<Map<string, MemberRow>> {
  const rows = await tx.all<MemberRow>(sql`
    SELECT ${memberColumns} FROM members
    WHERE site_id = ${siteId} AND email IN (${join([...new Set(emails)])}) ORDER BY id ${forUpdate(tx)}`);
  return new Map(rows.map((row) => [row.email, row]));
}

/** Whether a site has anybody. */
export async function hasMembers(db: Queries, siteId: string): Promise<boolean> {
  return (await db.get(sql`SELECT id FROM members WHERE site_id = ${siteId} LIMIT 1`)) !== undefined;
}

/** Records that a member has logged in, which proves the address. */
export async function markLoggedIn(
  tx: Transaction,
  siteId: string,
  memberId: string,
  at: Timestamp,
): Promise<void> {
  await tx.run(sql`
    UPDATE members
    SET verified = ${true}, last_login_at = ${at}, registered_at = COALESCE(registered_at, ${at}), updated_at = ${at}
    WHERE site_id = ${siteId} AND id = ${memberId}`);
}

export interface MemberState {
  readonly email: string;
  readonly displayName: string | null;
  readonly paid: boolean | null;
  readonly status: string;
}

export async function updateMemberRow(
  tx: Transaction,
  siteId: string,
  memberId: string,
  { email, displayName, paid, status }: MemberState,
  at: Timestamp,
): Promise<void> {
  await tx.run(sql`
    UPDATE members
    SET email = ${email}, display_name = ${displayName}, name_key = ${nameKeyOf(displayName)},
        search_text = ${searchTextOf(email, displayName)}, paid = ${paid}, status = ${status}, updated_at = ${at}
    WHERE site_id = ${siteId} AND id = ${memberId}`);
}

export async function deleteMemberRow(tx: Transaction, siteId: string, memberId: string): Promise<void> {
  await tx.run(sql`DELETE FROM members WHERE site_id = ${siteId} AND id = ${memberId}`);
}
