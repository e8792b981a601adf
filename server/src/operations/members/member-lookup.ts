import type { FoundMember, LookUpMembers, Member } from '@gatehouse/contract';
import { normalizeEmail } from '@gatehouse/contract/email-address';
import { maxLookedUpMembers } from '@gatehouse/contract/limits';
import { invalidRequest } from '../../base/api-error.ts';
import { lookUpMembersByEmail, lookUpMembersById } from '../../domain/members/member-lookup.ts';
import { toSummary } from '../../domain/members/member-values.ts';
import { findGroupsOfMembers } from '../../domain/memberships/memberships.ts';
import type { SiteView } from '../../storage/site-view.ts';
import { data, type OperationHandlers } from '../operation-handler.ts';

export const memberLookupHandlers = {
  lookUpMembers: (view, { body }) => data(lookUpMembers(view, body)),
} satisfies OperationHandlers;

/**
 * The members with these email addresses and ids, with their groups: in the order of the addresses, then in that of the
 * ids. Runs one statement for each list, and one for the groups. @throws {ApiError} `invalid_request`
 */
export async function lookUpMembers(view: SiteView, lookedUp: LookUpMembers): Promise<FoundMember[]> {
  const { emails = [], memberIds = [] } = lookedUp;
  if (emails.length + memberIds.length > maxLookedUpMembers) {
    const values = `emails and memberIds must have at most ${maxLookedUpMembers} values in all.`;
    throw invalidRequest('/memberIds', `${values} Send several requests.`);
  }
  const members = [...(await findByEmail(view, emails)), ...(await findById(view, memberIds))];
  const each = [...new Map(members.map((member) => [member.id, member])).values()];
  const found = await findGroupsOfMembers(
    view,
    each.map(({ id }) => id),
  );
  const groups = Map.groupBy(found, ({ memberId }) => memberId);
  return each.map((member) => {
    const accessGroups = (groups.get(member.id) ?? []).map(({ memberId, ...group }) => group);
    return { ...toSummary(member), accessGroups };
  });
}

async function findByEmail(view: SiteView, emails: readonly string[]): Promise<Member[]> {
  const addresses = [...new Set(emails.map(normalizeEmail))].filter((email) => email !== null);
  const members = new Map((await lookUpMembersByEmail(view, addresses)).map((each) => [each.email, each]));
  return addresses.flatMap((address) => members.get(address) ?? []);
}

async function findById(view: SiteView, memberIds: readonly string[]): Promise<Member[]> {
  const ids = [...new Set(memberIds)];
  const members = new Map((await lookUpMembersById(view, ids)).map((each) => [each.id, each]));
  return ids.flatMap((id) => members.get(id) ?? []);
}
