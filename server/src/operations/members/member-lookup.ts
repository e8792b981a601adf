import type { FoundMember } from '@gatehouse/contract';
import { normalizeEmail } from '@gatehouse/contract/email-address';
import { lookUpMembersByEmail } from '../../domain/members/member-lookup.ts';
import { toSummary } from '../../domain/members/member-values.ts';
import { findGroupsOfMembers } from '../../domain/memberships/memberships.ts';
import type { SiteView } from '../../storage/site-view.ts';
import { data, type OperationHandlers } from '../operation-handler.ts';

export const memberLookupHandlers = {
  lookUpMembers: (view, { body }) => data(lookUpMembers(view, body.emails)),
} satisfies OperationHandlers;

/** The members with these email addresses, in the order of the addresses, with their groups. Runs two statements. */
export async function lookUpMembers(view: SiteView, emails: readonly string[]): Promise<FoundMember[]> {
  const addresses = [...new Set(emails.map(normalizeEmail))].filter((email) => email !== null);
  const members = new Map((await lookUpMembersByEmail(view, addresses)).map((each) => [each.email, each]));
  const memberIds = [...members.values()].map(({ id }) => id);
  const groups = Map.groupBy(await findGroupsOfMembers(view, memberIds), ({ memberId }) => memberId);
  return addresses.flatMap((address) => {
    const member = members.get(address);
    if (!member) return [];
    const accessGroups = (groups.get(member.id) ?? []).map(({ memberId, ...group }) => group);
    return [{ ...toSummary(member), accessGroups }];
  });
}
