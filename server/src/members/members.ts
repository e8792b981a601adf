import type { Member, MemberWithGroups } from '@gatehouse/contract';
import { addToMembershipCount, lockAccessGroups } from '../access-groups/access-group-store.ts';
import { requireCustomGroups } from '../access-groups/access-groups.ts';
import type { Cause } from '../base/cause.ts';
import type { Timestamp } from '../base/clock.ts';
import { withdrawCredentials } from '../credentials/credentials.ts';
import { deleteLinksOf, lockOpenLinks } from '../credentials/login-link-store.ts';
import { changesBetween, type NewEvent } from '../events/event.ts';
import { eraseMemberData, recordEvents } from '../events/events.ts';
import { deleteMailsOfMembers } from '../mail/mails.ts';
import { findDeparted, rememberDeparted } from '../routing/departed-items.ts';
import { type Page, toPage } from '../routing/page.ts';
import type { Precondition } from '../routing/precondition.ts';
import type { Queries, Transaction } from '../storage/database.ts';
import { isUniqueViolation } from '../storage/errors.ts';
import { checkDisplayName, checkEmail, emailTaken, memberNotFound, toMember } from './member.ts';
import type { MemberFilter } from './member-filter.ts';
import { type MemberOrder, type Place, placeOf, selectMembers, selectSortKeys } from './member-list.ts';
import {
  deleteMemberRow,
  lockMemberRow,
  selectMember,
  selectMemberByEmail,
  updateMemberRow,
} from './member-store.ts';
import {
  deleteMembership,
  selectAllGroupIdsOfMember,
  selectGroupIdsOfMembers,
  selectGroupsOfMember,
} from './membership-store.ts';
import { addPeople } from './new-members.ts';

const listName = 'members';

export interface NewMember {
  readonly email: string;
  readonly displayName?: string | null;
  readonly paid?: boolean;
  readonly accessGroupIds?: readonly string[];
}

/** @throws Refusal `invalid_request`, `email_taken`, `access_group_not_found`, `scope_group_read_only` */
export async function createMember(
  tx: Transaction,
  siteId: string,
  input: NewMember,
  cause: Cause,
): Promise<MemberWithGroups> {
  const person = {
    email: checkEmail(input.email),
    displayName: checkDisplayName(input.displayName ?? null),
    paid: input.paid ?? false,
  };
  const groupIds = [...new Set(input.accessGroupIds ?? [])];
  await requireCustomGroups(tx, siteId, groupIds);
  const [member] = await addPeople(tx, siteId, [person], groupIds, cause);
  if (!member) throw emailTaken();
  return { ...member, accessGroups: await selectGroupsOfMember(tx, siteId, member.id, cause.at) };
}

/** @throws Refusal `member_not_found` */
export async function findMember(
  db: Queries,
  siteId: string,
  memberId: string,
  now: Timestamp,
): Promise<MemberWithGroups> {
  const row = await selectMember(db, siteId, memberId);
  if (!row) throw memberNotFound();
  return { ...toMember(row), accessGroups: await selectGroupsOfMember(db, siteId, memberId, now) };
}

export interface MemberQuery extends MemberFilter, MemberOrder {
  readonly after?: string;
  readonly limit: number;
}

/** Lists and searches members. @throws Refusal `invalid_cursor`, `invalid_request` */
export async function listMembers(
  db: Queries,
  siteId: string,
  query: MemberQuery,
  now: Timestamp,
): Promise<Page<Member>> {
  const filter = query.email === undefined ? query : { ...query, email: checkEmail(query.email) };
  const after = query.after === undefined ? undefined : await findPlace(db, siteId, query.after, query, now);
  const rows = await selectMembers(db, siteId, filter, query, after, query.limit + 1);
  return toPage(rows, query.limit, toMember);
}

export interface MemberChanges {
  readonly email?: string;
  readonly displayName?: string | null;
  readonly paid?: boolean;
  readonly status?: Member['status'];
}

/** @throws Refusal `member_not_found`, `invalid_request`, `email_taken` */
export async function updateMember(
  tx: Transaction,
  siteId: string,
  memberId: string,
  changes: MemberChanges,
  cause: Cause,
  requireMatch: Precondition<MemberWithGroups>,
): Promise<MemberWithGroups> {
  const before = await lockMember(tx, siteId, memberId, cause.at);
  requireMatch(before);
  const { member, events } = await changeMember(tx, siteId, before, changes, cause.at);
  await recordEvents(tx, siteId, cause, events);
  return member;
}

/**
 * Changes a member whose row is locked. Gives the member as it is then, and the events to record: none where nothing
 * changes.
 * @throws Refusal `invalid_request`, `email_taken`
 */
export async function changeMember<M extends Member>(
  tx: Transaction,
  siteId: string,
  before: M,
  changes: MemberChanges,
  at: Timestamp,
): Promise<{ member: M; events: NewEvent[] }> {
  const after: M = {
    ...before,
    ...(changes.email === undefined ? {} : { email: checkEmail(changes.email) }),
    ...(changes.displayName === undefined || changes.displayName === before.displayName
      ? {}
      : { displayName: checkDisplayName(changes.displayName) }),
    ...(changes.paid === undefined ? {} : { paid: changes.paid }),
    ...(changes.status === undefined ? {} : { status: changes.status }),
    updatedAt: at,
  };
  const events = changeEvents(before, after);
  if (events.length === 0) return { member: before, events };
  // The constraint decides in the end, but it waits for whoever is changing the other member, which two that take each
  // other's addresses would do for ever.
  if (after.email !== before.email && (await selectMemberByEmail(tx, siteId, after.email)))
    throw emailTaken();
  await updateMemberRow(tx, siteId, before.id, after, at).catch((error) => {
    throw isUniqueViolation(error, 'members_email') ? emailTaken() : error;
  });
  const lost = lossOfAccess(before, after);
  if (lost) events.push(...(await withdrawCredentials(tx, siteId, before, lost, at)));
  return { member: after, events };
}

/**
 * Deletes a member, its memberships, all it could get in with, and what earlier events and mails tell of its person.
 * @throws Refusal `member_not_found`
 */
export async function deleteMember(
  tx: Transaction,
  siteId: string,
  memberId: string,
  cause: Cause,
  requireMatch: Precondition<MemberWithGroups>,
): Promise<void> {
  const member = await lockMember(tx, siteId, memberId, cause.at);
  requireMatch(member);
  await prepareRemoval(tx, siteId, [member], cause.at);
  await recordEvents(tx, siteId, cause, [await removeMember(tx, siteId, member, cause.at)]);
}

/**
 * Deletes what was written to members whose rows are locked, and locks what is to be deleted with them: mails, then
 * links, then groups, as everywhere.
 */
export async function prepareRemoval(
  tx: Transaction,
  siteId: string,
  members: readonly Member[],
  at: Timestamp,
): Promise<void> {
  const ids = members.map(({ id }) => id);
  const emails = members.map(({ email }) => email);
  await deleteMailsOfMembers(tx, siteId, members, at);
  await lockOpenLinks(tx, siteId, emails, ids);
  await lockGroupsOfMembers(tx, siteId, ids);
}

/** Deletes a member after `prepareRemoval`. Gives the event to record. */
export async function removeMember(
  tx: Transaction,
  siteId: string,
  member: Member,
  at: Timestamp,
): Promise<NewEvent> {
  const memberId = member.id;
  // They need no event of their own: nothing is left that could have a session.
  await withdrawCredentials(tx, siteId, member, 'blocked', at);
  await deleteLinksOf(tx, siteId, member);
  const sortKeys = (await selectSortKeys(tx, siteId, memberId))!;
  const groupIds = (await selectAllGroupIdsOfMember(tx, siteId, memberId)).map(({ group_id }) => group_id);
  for (const groupId of groupIds) {
    // Its time may have passed since, and then it was removed and taken from the count already.
    if (!(await deleteMembership(tx, siteId, groupId, memberId))) continue;
    await addToMembershipCount(tx, siteId, groupId, -1);
    await rememberDeparted(tx, siteId, groupId, [{ id: memberId }], at);
  }
  await deleteMemberRow(tx, siteId, memberId);
  await rememberDeparted(tx, siteId, listName, [{ id: memberId, sortKeys }], at);
  await eraseMemberData(tx, siteId, memberId);
  return { type: 'member.deleted', memberId, data: { memberId } };
}

/** Locks every group that some members are in. The members are locked, so they come into no other. */
async function lockGroupsOfMembers(
  tx: Transaction,
  siteId: string,
  memberIds: readonly string[],
): Promise<void> {
  if (memberIds.length === 0) return;
  const groups = await selectGroupIdsOfMembers(tx, siteId, memberIds);
  await lockAccessGroups(
    tx,
    siteId,
    groups.map(({ group_id }) => group_id),
  );
}

async function lockMember(
  tx: Transaction,
  siteId: string,
  memberId: string,
  now: Timestamp,
): Promise<MemberWithGroups> {
  const row = await lockMemberRow(tx, siteId, memberId);
  if (!row) throw memberNotFound();
  return { ...toMember(row), accessGroups: await selectGroupsOfMember(tx, siteId, memberId, now) };
}

/** Where a list goes on after a member, also when that member was deleted within the last day. */
async function findPlace(
  db: Queries,
  siteId: string,
  memberId: string,
  { sort }: MemberOrder,
  now: Timestamp,
): Promise<Place> {
  const keys = await selectSortKeys(db, siteId, memberId);
  if (keys) return placeOf(memberId, keys, sort);
  const departed = await findDeparted(db, siteId, listName, memberId, now);
  return placeOf(memberId, departed.sortKeys ?? {}, sort);
}

/** What takes a member's sessions and login links away, if this change does. */
function lossOfAccess(before: Member, after: Member): 'blocked' | 'email_changed' | undefined {
  if (after.status === 'blocked' && before.status !== 'blocked') return 'blocked';
  return after.email === before.email ? undefined : 'email_changed';
}

function changeEvents(before: Member, after: Member): NewEvent[] {
  const memberId = before.id;
  const events: NewEvent[] = [];
  const fields = changesBetween(before, after, ['email', 'displayName', 'paid']);
  if (fields.length > 0)
    events.push({ type: 'member.updated', memberId, data: { memberId, changes: fields } });
  const status = changesBetween(before, after, ['status']);
  if (status.length > 0) {
    const type = after.status === 'blocked' ? 'member.blocked' : 'member.unblocked';
    events.push({ type, memberId, data: { memberId, changes: status } });
  }
  return events;
}
