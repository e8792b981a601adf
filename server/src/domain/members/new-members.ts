import type { Member } from '@gatehouse/contract';
import type { Timestamp } from '../../base/clock.ts';
import { newId, timeOfId } from '../../base/ids.ts';
import { lockAccessGroups } from '../access-groups/access-groups.ts';
import type { Change } from '../events/change.ts';
import { addMemberships } from '../memberships/memberships.ts';
import { countsOfChange, toSummary } from './member.ts';
import { insertMembers } from './member-store.ts';

/** A new member whose values have been validated. */
export interface MemberDraft {
  readonly email: string;
  readonly displayName?: string | null | undefined;
  readonly paid?: boolean | undefined;
  /** When the member registered elsewhere before, in the past. Omitted for the current time. */
  readonly registeredAt?: Timestamp | undefined;
}

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
  const members = drafts.map((draft) => newMember(draft));
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

function newMember({ email, displayName = null, paid = false, registeredAt }: MemberDraft): Member {
  const id = newId();
  const createdAt = timeOfId(id);
  return {
    id,
    email,
    displayName,
    status: 'active',
    verified: false,
    paid,
    registeredAt: registeredAt ?? createdAt,
    lastLoginAt: null,
    createdAt,
    updatedAt: createdAt,
  };
}
