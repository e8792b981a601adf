import type { GroupMember } from '@gatehouse/contract';
import { type Page, type PageQuery, toPage } from '../../base/page.ts';
import type { SiteView } from '../../storage/site-view.ts';
import { requireMembershipAt } from '../memberships/memberships.ts';
import { type MemberRow, toMember } from './member.ts';
import { selectGroupMembers } from './member-store.ts';

/** Lists the members of a group, newest first. @throws {ApiError} `access_group_not_found`, `invalid_cursor` */
export async function listGroupMembers(
  view: SiteView,
  groupId: string,
  query: PageQuery,
): Promise<Page<GroupMember>> {
  await requireMembershipAt(view, groupId, query);
  const rows = await selectGroupMembers(view, groupId, { ...query, limit: query.limit + 1 });
  return toPage(rows, query.limit, toGroupMember);
}

function toGroupMember(row: MemberRow): GroupMember {
  const { lastSeenAt, createdAt, updatedAt, ...member } = toMember(row);
  return member;
}
