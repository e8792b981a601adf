import sql, { join } from 'sql-template-tag';
import type { Queries, Transaction } from '../storage/database.ts';
import { forChanges } from '../storage/row-lock.ts';
import type { MemberRow } from './member.ts';
import { memberColumns } from './member-store.ts';

/** So many ids or addresses in one statement. */
const valuesAtOnce = 500;

/** The members that have these addresses. */
export async function selectMembersByEmail(
  db: Queries,
  siteId: string,
  emails: readonly string[],
): Promise<MemberRow[]> {
  const found: MemberRow[] = [];
  for (const part of parts(emails)) {
    found.push(
      ...(await db.all<MemberRow>(
        sql`SELECT ${memberColumns} FROM members WHERE site_id = ${siteId} AND email IN (${join(part)})`,
      )),
    );
  }
  return found;
}

/** Locks members until the transaction ends, in the order of their ids, as everywhere. */
export async function lockMembers(tx: Transaction, siteId: string, ids: Iterable<string>): Promise<void> {
  for (const part of parts([...new Set(ids)].sort())) {
    await tx.all(sql`
      SELECT id FROM members WHERE site_id = ${siteId} AND id IN (${join(part)}) ORDER BY id ${forChanges(tx)}`);
  }
}

/** Everybody in a group. */
export function selectPeopleOfGroup(
  db: Queries,
  siteId: string,
  groupId: string,
): Promise<{ id: string; email: string }[]> {
  return db.all(sql`
    SELECT p.id, p.email FROM memberships m JOIN members p ON p.site_id = m.site_id AND p.id = m.member_id
    WHERE m.site_id = ${siteId} AND m.group_id = ${groupId} ORDER BY p.id`);
}

/** Gives how many memberships there were. */
export async function deleteMemberships(
  tx: Transaction,
  siteId: string,
  groupId: string,
  memberIds: readonly string[],
): Promise<number> {
  let deleted = 0;
  for (const part of parts(memberIds)) {
    deleted += await tx.run(sql`
      DELETE FROM memberships WHERE site_id = ${siteId} AND group_id = ${groupId} AND member_id IN (${join(part)})`);
  }
  return deleted;
}

export async function hasGroupNamed(db: Queries, siteId: string, name: string): Promise<boolean> {
  const row = await db.get(sql`SELECT id FROM access_groups WHERE site_id = ${siteId} AND name = ${name}`);
  return row !== undefined;
}

function parts(values: readonly string[]): string[][] {
  const result: string[][] = [];
  for (let start = 0; start < values.length; start += valuesAtOnce) {
    result.push(values.slice(start, start + valuesAtOnce));
  }
  return result;
}
