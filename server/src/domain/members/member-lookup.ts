import type { Member } from '@gatehouse/contract';
import type { Queries, Transaction } from '../../storage/database.ts';
import { inBatches } from '../../storage/sql/batches.ts';
import { type MemberRow, toMember } from './member.ts';
import {
  lockMemberRow,
  lockMemberRowByEmail,
  lockMemberRows,
  lockMemberRowsByEmail,
  selectMember,
  selectMemberByEmail,
  selectMembersByEmail,
} from './member-store.ts';

// Looks members up for other concepts. Returns undefined when a member does not exist, so that the caller decides what
// that means.

export { hasMembers, markLoggedIn } from './member-store.ts';

export async function lookUpMember(
  db: Queries,
  siteId: string,
  memberId: string,
): Promise<Member | undefined> {
  return toMemberIfAny(await selectMember(db, siteId, memberId));
}

export async function lookUpMemberByEmail(
  db: Queries,
  siteId: string,
  email: string,
): Promise<Member | undefined> {
  return toMemberIfAny(await selectMemberByEmail(db, siteId, email));
}

/** The members with these email addresses. */
export async function lookUpMembersByEmail(
  db: Queries,
  siteId: string,
  emails: readonly string[],
): Promise<Member[]> {
  const rows = await inBatches(emails, (batch) => selectMembersByEmail(db, siteId, batch));
  return rows.map(toMember);
}

/** Locks a member's row until the transaction ends. */
export async function lockMember(
  tx: Transaction,
  siteId: string,
  memberId: string,
): Promise<Member | undefined> {
  return toMemberIfAny(await lockMemberRow(tx, siteId, memberId));
}

/** Like `lockMember`, by email address. */
export async function lockMemberByEmail(
  tx: Transaction,
  siteId: string,
  email: string,
): Promise<Member | undefined> {
  return toMemberIfAny(await lockMemberRowByEmail(tx, siteId, email));
}

/** Locks the existing members of a list, in the order of their ids, as everywhere. */
export async function lockMembers(
  tx: Transaction,
  siteId: string,
  memberIds: readonly string[],
): Promise<Member[]> {
  const ids = [...new Set(memberIds)].sort();
  const rows = await inBatches(ids, (batch) => lockMemberRows(tx, siteId, batch));
  return rows.map(toMember);
}

/** Locks the members with these email addresses, in the order of their ids. Returns them by address. */
export async function lockMembersByEmail(
  tx: Transaction,
  siteId: string,
  emails: readonly string[],
): Promise<Map<string, Member>> {
  const rows = await lockMemberRowsByEmail(tx, siteId, emails);
  return new Map(rows.map((row) => [row.email, toMember(row)]));
}

function toMemberIfAny(row: MemberRow | undefined): Member | undefined {
  return row && toMember(row);
}
