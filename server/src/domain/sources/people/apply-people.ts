import type { Member } from '@gatehouse/contract';
import { idsOf } from '../../../base/ids.ts';
import { lockAccessGroups } from '../../access-groups/access-groups.ts';
import type { Change } from '../../events/change.ts';
import { lockMembersByEmail } from '../../members/member-lookup.ts';
import { renameMembers, updateMembers } from '../../members/member-updates.ts';
import { createMembers } from '../../members/new-members.ts';
import { addMemberships, findMembershipsIn, removeMemberships } from '../../memberships/memberships.ts';
import type { CollectionId, SourceCollection } from '../collections/collection.ts';
import type { GroupsByValue } from '../groups/source-groups.ts';
import type { Person } from './collection-people.ts';
import { deleteBlocks, insertCreatedMembers, markLeft } from './created-member-store.ts';
import { decidedValues, valuesElsewhere } from './source-people.ts';
import {
  deletePeople,
  type PersonElsewhere,
  selectPeopleElsewhere,
  upsertPeople,
} from './source-people-store.ts';

/** The part of a synchronization that one transaction applies. */
export interface PeopleToApply {
  readonly sourceId: string;
  readonly collection: SourceCollection;
  readonly groups: GroupsByValue;
  readonly changed: readonly Person[];
  /** The addresses of people who are no longer in the collection. */
  readonly gone: readonly string[];
}

type PeopleElsewhere = ReadonlyMap<string, readonly PersonElsewhere[]>;

export interface AppliedCounts {
  created: number;
  added: number;
  changed: number;
  removed: number;
}

/**
 * Brings the memberships of some people in step with a collection, whatever they are now. People are created as members
 * if necessary; those who leave the source stay members. A blocked member stays blocked and is in the groups.
 */
export async function applyPeople(change: Change, part: PeopleToApply): Promise<AppliedCounts> {
  const { changed, gone } = part;
  const { members, created } = await lockPeople(change, changed, gone);
  const emails = [...changed.map(({ email }) => email), ...gone];
  const elsewhere = await selectPeopleElsewhere(change, idOf(part), emails);
  // The order of locks everywhere: members, their links, groups.
  const updated = await updateValues(change, part, members, elsewhere);
  await storePeople(change, part, members, created);
  await unblockReturned(change, part, members);
  const { added, removed } = await updateMemberships(change, part, members, elsewhere);
  return { created: created.size, added, changed: updated, removed };
}

/**
 * Creates missing members, and locks all of them, by email address. A member deleted between these steps is created
 * again.
 */
async function lockPeople(change: Change, changed: readonly Person[], gone: readonly string[]) {
  const emails = [...changed.map(({ email }) => email), ...gone];
  const created = new Set<string>();
  let members = await lockMembersByEmail(change, emails);
  for (;;) {
    const missing = changed.filter(({ email }) => !members.has(email));
    if (missing.length === 0) return { members, created };
    const drafts = missing.map(({ email, displayName, paid }) => ({
      email,
      displayName: displayName ?? null,
      paid: paid ?? false,
    }));
    for (const member of await createMembers(change, drafts)) if (member) created.add(member.email);
    members = await lockMembersByEmail(change, emails);
  }
}

/** Names and `paid` follow the source where it has them. Returns how many members were changed. */
async function updateValues(
  change: Change,
  part: PeopleToApply,
  members: ReadonlyMap<string, Member>,
  elsewhere: PeopleElsewhere,
): Promise<number> {
  const people = part.changed.map((person) => ({
    email: person.email,
    ...decidedValues(person, elsewhere.get(person.email), idOf(part)),
  }));
  const renames = people.flatMap(({ email, displayName: to }) => {
    const member = members.get(email)!;
    return to === undefined || to === member.displayName ? [] : [{ member, to }];
  });
  await renameMembers(change, renames);
  const touched = new Set(renames.map(({ member }) => member.id));
  for (const paid of [true, false]) {
    const payers = people.filter((person) => person.paid === paid).map(({ email }) => members.get(email)!);
    for (const { id } of await updateMembers(change, payers, { paid })) touched.add(id);
  }
  return touched.size;
}

/** Stores who is in the collection now, which members it has created, and which of them have left it. */
async function storePeople(
  change: Change,
  part: PeopleToApply,
  members: ReadonlyMap<string, Member>,
  created: ReadonlySet<string>,
): Promise<void> {
  const idsOf = (emails: Iterable<string>) => [...emails].flatMap((email) => members.get(email)?.id ?? []);
  const collection = idOf(part);
  await upsertPeople(change, collection, part.changed);
  await insertCreatedMembers(change, part.sourceId, idsOf(created));
  await deletePeople(change, collection, part.gone);
  await markLeft(change, collection, idsOf(part.gone));
}

/** A member who was blocked for leaving a source and returns is unblocked, unless someone changed it since then. */
async function unblockReturned(
  change: Change,
  { changed }: PeopleToApply,
  members: ReadonlyMap<string, Member>,
): Promise<void> {
  const present = changed
    .map(({ email }) => members.get(email)!)
    .filter(({ status }) => status === 'blocked');
  if (present.length === 0) return;
  const blocks = await deleteBlocks(change, idsOf(present));
  const returned = present.filter(({ id, updatedAt }) => updatedAt !== null && blocks.get(id) === updatedAt);
  await updateMembers(change, returned, { status: 'active' });
}

/** Adds and removes memberships until each person is in exactly the groups that the source names. */
async function updateMemberships(
  change: Change,
  { sourceId, groups, changed, gone }: PeopleToApply,
  members: ReadonlyMap<string, Member>,
  elsewhere: PeopleElsewhere,
): Promise<{ added: number; removed: number }> {
  const wanted = new Map<string, Set<string>>();
  for (const email of gone) wanted.set(email, new Set());
  for (const { email, values } of changed) wanted.set(email, new Set(values));
  for (const [email, listed] of elsewhere) {
    for (const value of valuesElsewhere(listed, sourceId)) wanted.get(email)!.add(value);
  }

  const groupIds = [...groups.values()].map(({ groupId }) => groupId);
  await lockAccessGroups(change, groupIds);
  const memberIds = [...members.values()].map(({ id }) => id);
  const current = await findMembershipsIn(change, groupIds, memberIds);
  const isIn = new Set(current.map(({ groupId, memberId }) => `${groupId} ${memberId}`));
  let added = 0;
  let removed = 0;
  for (const [value, { groupId }] of groups) {
    const joining: string[] = [];
    const leaving: string[] = [];
    for (const [email, { id }] of members) {
      const belongs = wanted.get(email)!.has(value);
      if (belongs === isIn.has(`${groupId} ${id}`)) continue;
      (belongs ? joining : leaving).push(id);
    }
    added += (await addMemberships(change, [groupId], joining)).length;
    removed += leaving.length === 0 ? 0 : (await removeMemberships(change, groupId, leaving)).length;
  }
  return { added, removed };
}

function idOf({ sourceId, collection: { key } }: PeopleToApply): CollectionId {
  return { sourceId, collection: key };
}
