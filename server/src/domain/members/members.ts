import type { CreateMember, Member, MemberWithGroups, UpdateMember } from '@gatehouse/contract';
import { type Precondition, requireTimestamp } from '../../base/api-error.ts';
import { type Page, toPage } from '../../base/page.ts';
import type { Transaction } from '../../storage/database.ts';
import { isUniqueViolation } from '../../storage/errors.ts';
import type { SiteView } from '../../storage/site-view.ts';
import { hasAccessGroup, requireCustomGroups } from '../access-groups/access-groups.ts';
import { addTombstones, findTombstone } from '../cursors/cursor-tombstones.ts';
import { deleteEmailsOf } from '../emails/emails.ts';
import type { Change } from '../events/change.ts';
import type { NewEvent } from '../events/event.ts';
import { eraseMemberData } from '../events/events.ts';
import { eraseInvitationsOf } from '../invitation-ends/invitation-ends.ts';
import { deleteJoinRequestsOf } from '../join-requests/join-requests.ts';
import { eraseListedPeople } from '../listed-people/listed-people.ts';
import { lockLinksOf } from '../login-links/login-links.ts';
import {
  findGroupsOfMember,
  lockGroupsOfMembers,
  removeEveryMembershipOf,
} from '../memberships/memberships.ts';
import { deleteCredentials, type OwnBrowser } from './credentials.ts';
import { countsOfChange, emailTaken, memberNotFound, toMember, toMemberWithGroups } from './member.ts';
import {
  deleteMemberRows,
  lockMemberRow,
  selectMemberByEmail,
  selectMemberWithGroups,
  updateMemberRow,
} from './member-store.ts';
import { changeEvents, revokeLostAccess } from './member-updates.ts';
import { readChanges, readDraft, readEmail, requireValid } from './member-values.ts';
import { createMembers } from './new-members.ts';
import type { MemberFilter } from './search/member-filter.ts';
import { selectMembers } from './search/member-list.ts';
import {
  type CursorPosition,
  cursorPositionOf,
  type MemberOrder,
  selectSortKeys,
} from './search/member-order.ts';
import type { SearchLimits } from './search/search-limits.ts';

const listName = 'members';

/** @throws {ApiError} `invalid_request`, `email_taken`, `access_group_not_found`, `scope_group_read_only` */
export async function createMember(change: Change, input: CreateMember): Promise<MemberWithGroups> {
  const draft = requireValid(readDraft(input, change.now));
  const groupIds = [...new Set(input.accessGroupIds ?? [])];
  await requireCustomGroups(change, groupIds);
  const [member] = await createMembers(change, [draft], groupIds);
  if (!member) throw emailTaken();
  const accessGroups = groupIds.length === 0 ? [] : await findGroupsOfMember(change, member.id);
  return { ...member, accessGroups };
}

/** @throws {ApiError} `member_not_found` */
export async function findMember(view: SiteView, memberId: string): Promise<MemberWithGroups> {
  const rows = await selectMemberWithGroups(view, memberId);
  if (rows.length === 0) throw memberNotFound();
  return toMemberWithGroups(rows);
}

export interface MemberQuery extends MemberFilter, MemberOrder {
  readonly after?: string;
  readonly limit: number;
}

/** Lists and searches members. @throws {ApiError} `invalid_cursor`, `invalid_request` */
export async function listMembers(
  view: SiteView,
  query: MemberQuery,
  limits?: SearchLimits,
): Promise<Page<Member>> {
  const { siteId, now } = view;
  const { limit, groupId } = query;
  const filter = checkFilter(query);
  const after = query.after === undefined ? undefined : await findCursorPosition(view, query.after, query);
  if (groupId !== undefined && !(await hasAccessGroup(view, groupId))) return toPage([], limit, toMember);
  const request = { siteId, now, filter, order: query, after, limit: limit + 1 };
  const found = await selectMembers(view.db, request, limits);
  return toPage(found.rows, limit, toMember, found.examinedTo);
}

/** @throws {ApiError} `invalid_request` */
function checkFilter(filter: MemberFilter): MemberFilter {
  const { email, expiresBefore } = filter;
  return {
    ...filter,
    ...(email !== undefined && { email: requireValid(readEmail(email)) }),
    ...(expiresBefore !== undefined && { expiresBefore: requireTimestamp('/expiresBefore', expiresBefore) }),
  };
}

/**
 * @param own the browser in which the member changes the own address, which stays logged in
 * @throws {ApiError} `member_not_found`, `invalid_request`, `email_taken`
 */
export async function updateMember(
  change: Change,
  memberId: string,
  changes: UpdateMember,
  requireMatch: Precondition<MemberWithGroups> = () => {},
  own: OwnBrowser | null = null,
): Promise<MemberWithGroups> {
  const { now } = change;
  const before = await lockMemberWithGroups(change, memberId);
  requireMatch(before);
  const after = {
    ...before,
    email: changes.email === undefined ? before.email : requireValid(readEmail(changes.email)),
    ...requireValid(readChanges(before, changes)),
    status: changes.status ?? before.status,
    updatedAt: now,
  };
  const events = changeEvents(before, after);
  if (events.length === 0) return before;
  // The unique constraint has the final say. But it waits for a concurrent change of the other member, so two members
  // that swap addresses would deadlock without this check.
  if (after.email !== before.email && (await selectMemberByEmail(change, after.email))) throw emailTaken();
  await updateMemberRow(change, after).catch((error) => {
    throw isUniqueViolation(error, 'members_email') ? emailTaken() : error;
  });
  change.record(...events);
  await revokeLostAccess(change, [{ before, after }], own);
  return after;
}

/** @throws {ApiError} `member_not_found` */
export async function deleteMember(
  change: Change,
  memberId: string,
  requireMatch: Precondition<MemberWithGroups> = () => {},
): Promise<void> {
  const member = await lockMemberWithGroups(change, memberId);
  requireMatch(member);
  await deleteMembers(change, [member]);
}

/**
 * Deletes members whose rows are locked, with their memberships, credentials, and personal data in earlier events,
 * emails, invitations and sources. Emails, links, groups and invitations are locked in this order, as everywhere.
 */
export async function deleteMembers(change: Change, members: readonly Member[]): Promise<void> {
  if (members.length === 0) return;
  const memberIds = members.map(({ id }) => id);
  await deleteEmailsOf(change, members);
  await lockLinksOf(change, members);
  await lockGroupsOfMembers(change, memberIds);
  await deleteCredentials(change, members);
  const sortKeys = await selectSortKeys(change, memberIds);
  await removeEveryMembershipOf(change, memberIds);
  await eraseInvitationsOf(change, members);
  await deleteMemberRows(change, memberIds);
  await deleteJoinRequestsOf(change, members);
  await addTombstones(
    change,
    memberIds.map((id) => ({ list: listName, id, sortKeys: sortKeys.get(id)! })),
  );
  await eraseMemberData(change, memberIds);
  change.record(
    ...members.map((member): NewEvent => {
      const memberId = member.id;
      return {
        type: 'member.deleted',
        memberId,
        data: { memberId },
        counts: countsOfChange(member, undefined),
      };
    }),
  );
  await eraseListedPeople(change, members);
}

async function lockMemberWithGroups(
  view: SiteView<Transaction>,
  memberId: string,
): Promise<MemberWithGroups> {
  const row = await lockMemberRow(view, memberId);
  if (!row) throw memberNotFound();
  return { ...toMember(row), accessGroups: await findGroupsOfMember(view, memberId) };
}

/** The position after a member in a list, even if that member was deleted within the last day. */
async function findCursorPosition(
  view: SiteView,
  memberId: string,
  { sort }: MemberOrder,
): Promise<CursorPosition> {
  const keys = (await selectSortKeys(view, [memberId])).get(memberId);
  if (keys) return cursorPositionOf(memberId, keys, sort);
  const tombstone = await findTombstone(view, listName, memberId);
  return cursorPositionOf(memberId, tombstone.sortKeys ?? {}, sort);
}
