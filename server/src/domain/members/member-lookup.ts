import type { Member } from '@gatehouse/contract';
import type { Transaction } from '../../storage/database.ts';
import type { SiteData } from '../../storage/site-view.ts';
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
  selectMembersById,
} from './member-store.ts';

// Looks members up for other concepts. Returns undefined when a member does not exist, so that the caller decides what
// that means.

export { hasMembers, markLoggedIn, markMemberSeen, markSessionMemberSeen } from './member-store.ts';

export async function lookUpMember(view: SiteData, memberId: string): Promise<Member | undefined> {
  return toMemberIfAny(await selectMember(view, memberId));
}

export async function lookUpMemberByEmail(view: SiteData, email: string): Promise<Member | undefined> {
  return toMemberIfAny(await selectMemberByEmail(view, email));
}

/** The members with these email addresses. */
export async function lookUpMembersByEmail(view: SiteData, emails: readonly string[]): Promise<Member[]> {
  const rows = await inBatches(emails, (batch) => selectMembersByEmail(view, batch));
  return rows.map(toMember);
}

/** The members with these ids. */
export async function lookUpMembersById(view: SiteData, memberIds: readonly string[]): Promise<Member[]> {
  const rows = await inBatches(memberIds, (batch) => selectMembersById(view, batch));
  return rows.map(toMember);
}

/** Locks a member's row until the transaction ends. */
export async function lockMember(view: SiteData<Transaction>, memberId: string): Promise<Member | undefined> {
  return toMemberIfAny(await lockMemberRow(view, memberId));
}

/** Like `lockMember`, by email address. */
export async function lockMemberByEmail(
  view: SiteData<Transaction>,
  email: string,
): Promise<Member | undefined> {
  return toMemberIfAny(await lockMemberRowByEmail(view, email));
}

/** Locks the existing members of a list, in the order of their ids, as everywhere. */
export async function lockMembers(
  view: SiteData<Transaction>,
  memberIds: readonly string[],
): Promise<Member[]> {
  const ids = [...new Set(memberIds)].sort();
  const rows = await inBatches(ids, (batch) => lockMemberRows(view, batch));
  return rows.map(toMember);
}

/** Locks the members with these email addresses, in the order of their ids. Returns them by address. */
export async function lockMembersByEmail(
  view: SiteData<Transaction>,
  emails: readonly string[],
): Promise<Map<string, Member>> {
  const rows = await lockMemberRowsByEmail(view, emails);
  return new Map(rows.map((row) => [row.email, toMember(row)]));
}

function toMemberIfAny(row: MemberRow | undefined): Member | undefined {
  return row && toMember(row);
}
