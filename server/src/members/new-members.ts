import type { Member } from '@gatehouse/contract';
import { groupNotFound } from '../access-groups/access-group.ts';
import { addToMembershipCount, lockAccessGroups } from '../access-groups/access-group-store.ts';
import type { Cause } from '../base/cause.ts';
import { newId, timeOfId } from '../base/ids.ts';
import type { NewEvent } from '../events/event.ts';
import { recordEvents } from '../events/events.ts';
import type { Transaction } from '../storage/database.ts';
import { ForeignKeyViolation } from '../storage/errors.ts';
import { personOf } from './member.ts';
import { insertMembers } from './member-store.ts';
import { addedEvent, sourceOf } from './membership.ts';
import { insertMemberships } from './membership-store.ts';

/** A person whose values have been checked. */
export interface Person {
  readonly email: string;
  readonly displayName: string | null;
  readonly paid: boolean;
}

/**
 * Creates a member for each person whose address is free, in the order given, and adds all of them to the groups.
 * A person whose address is taken, by a member or by one earlier in the list, gives undefined.
 */
export async function addPeople(
  tx: Transaction,
  siteId: string,
  people: readonly Person[],
  groupIds: readonly string[],
  cause: Cause,
): Promise<(Member | undefined)[]> {
  const created = await insertPeople(tx, siteId, people);
  const newMembers = created.filter((member) => member !== undefined);
  if (newMembers.length === 0) return created;

  const memberships = groupIds.flatMap((groupId) =>
    newMembers.map(({ id }) => ({
      group_id: groupId,
      member_id: id,
      source: sourceOf(cause),
      added_at: cause.at,
      expires_at: null,
    })),
  );
  if (memberships.length > 0) {
    await lockAccessGroups(tx, siteId, groupIds);
    await insertMemberships(tx, siteId, memberships).catch(refuseVanishedGroup);
    for (const groupId of groupIds) await addToMembershipCount(tx, siteId, groupId, newMembers.length);
  }
  await recordEvents(tx, siteId, cause, [...newMembers.map(createdEvent), ...memberships.map(addedEvent)]);
  return created;
}

/**
 * Creates the members alone, for those who add them to groups and tell of them later in the same transaction. A person
 * whose address is taken gives undefined.
 */
export async function insertPeople(
  tx: Transaction,
  siteId: string,
  people: readonly Person[],
): Promise<(Member | undefined)[]> {
  const members = people.map((person) => newMember(person));
  const firsts = new Map<string, Member>();
  for (const member of members) if (!firsts.has(member.email)) firsts.set(member.email, member);
  const rows = [...firsts.values()].map(({ id, email, displayName, paid, createdAt }) => ({
    id,
    email,
    displayName,
    paid: paid === true,
    createdAt: createdAt!,
  }));
  const inserted = await insertMembers(tx, siteId, rows);
  return members.map((member) => (inserted.has(member.id) ? member : undefined));
}

function newMember({ email, displayName, paid }: Person): Member {
  const id = newId();
  const createdAt = timeOfId(id);
  return {
    id,
    email,
    displayName,
    status: 'active',
    verified: false,
    paid,
    registeredAt: createdAt,
    lastLoginAt: null,
    createdAt,
    updatedAt: createdAt,
  };
}

export function createdEvent(member: Member): NewEvent {
  return { type: 'member.created', memberId: member.id, data: { member: personOf(member) } };
}

/** A group that was deleted after it was looked up: the constraint saw it. */
function refuseVanishedGroup(error: unknown): never {
  throw error instanceof ForeignKeyViolation ? groupNotFound() : error;
}
