import type { FoundMember } from '@gatehouse/contract';
import { normalizeEmail } from '@gatehouse/contract/email-address';
import type { Timestamp } from '../../base/clock.ts';
import { lookUpMembersByEmail } from '../../domain/members/member-lookup.ts';
import { findGroupsOfMembers } from '../../domain/memberships/memberships.ts';
import type { Queries } from '../../storage/database.ts';
import type { OperationHandlers } from '../operation-handler.ts';

export const memberLookupHandlers = {
  lookUpMembers: async ({ db, siteId, now }, { body }) => ({
    body: { data: await lookUpMembers(db, siteId, body.emails, now) },
  }),
} satisfies OperationHandlers;

/** The members with these email addresses, in the order of the addresses, with their groups. Runs two statements. */
export async function lookUpMembers(
  db: Queries,
  siteId: string,
  emails: readonly string[],
  now: Timestamp,
): Promise<FoundMember[]> {
  const addresses = [...new Set(emails.map(normalizeEmail))].filter((email) => email !== null);
  const members = new Map(
    (await lookUpMembersByEmail(db, siteId, addresses)).map((each) => [each.email, each]),
  );
  const memberIds = [...members.values()].map(({ id }) => id);
  const groups = Map.groupBy(
    await findGroupsOfMembers(db, siteId, memberIds, now),
    ({ memberId }) => memberId,
  );
  return addresses.flatMap((address) => {
    const member = members.get(address);
    if (!member) return [];
    const { id, email, displayName, status, paid } = member;
    const accessGroups = (groups.get(id) ?? []).map(({ memberId, ...group }) => group);
    return [{ id, email, displayName, status, paid, accessGroups }];
  });
}
