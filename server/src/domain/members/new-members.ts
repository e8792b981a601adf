import type { Member } from '@gatehouse/contract';
import { lockAccessGroups } from '../access-groups/access-groups.ts';
import type { Change } from '../events/change.ts';
import { addMemberships } from '../memberships/memberships.ts';
import { countsOfChange } from './member.ts';
import { insertMembers } from './member-store.ts';
import { type MemberDraft, newMember, toSummary } from './member-values.ts';

/**
 * Creates a member for each draft whose email address is free, in the given order, and adds all of them to the groups.
 * The result is undefined for a draft whose address is taken by a member or by an earlier draft.
 * @throws {ApiError} `access_group_not_found`
 */
export async function createMembers(
  change: Change,
  drafts: readonly MemberDraft[],
  groupIds: readonly string[] = [],
): Promise<(Member | undefined)[]> {
  const members = drafts.map(newMember);
  const firsts = new Map<string, Member>();
  for (const member of members) if (!firsts.has(member.email)) firsts.set(member.email, member);
  const inserted = await insertMembers(change, [...firsts.values()], creatingRequest(change));
  const created = members.map((member) => (inserted.has(member.id) ? member : undefined));
  const newIds = [];
  for (const member of created) {
    if (!member) continue;
    newIds.push(member.id);
    change.record({
      type: 'member.created',
      memberId: member.id,
      data: { member: toSummary(member) },
      counts: countsOfChange(undefined, member),
    });
  }
  if (groupIds.length > 0 && newIds.length > 0) {
    await lockAccessGroups(change, groupIds);
    await addMemberships(change, groupIds, newIds);
  }
  return created;
}

/** A visitor could choose the id of an import's requests, to be taken for one of its members. So theirs are not stored. */
function creatingRequest({ context: { actor, requestId } }: Change): string | null {
  return actor.type === 'key' || actor.type === 'operator' ? requestId : null;
}
