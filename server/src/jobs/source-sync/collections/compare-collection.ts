import type { SourceCollection } from '../../../domain/sources/collections/collection.ts';
import { type GroupsByValue, hasValues } from '../../../domain/sources/groups/source-groups.ts';
import {
  type CollectionPeople,
  ownGroup,
  type Person,
} from '../../../domain/sources/people/collection-people.ts';
import { inChunks } from './chunks.ts';
import { type CollectionDifference, Comparison, type Known } from './comparison.ts';
import type { GroupMember, SourceMembers } from './source-members.ts';

/** A collection, and the groups that its people belong in. */
export interface CollectionToCompare {
  readonly collection: SourceCollection;
  readonly groups: GroupsByValue;
  readonly listed: CollectionPeople;
}

type People = ReadonlyMap<string, Person>;

/**
 * Compares the people of a collection, all at once, with its groups as they are. Those who are uncertain stay as they
 * are.
 * @param members shared by the collections of a run, as long as it removes nobody
 */
export async function compareCollection(
  { collection: { key }, groups, listed }: CollectionToCompare,
  members: SourceMembers,
): Promise<CollectionDifference> {
  const { people } = listed;
  const stored = await members.storedIn(key);
  const ofSource: ReadonlySet<string> = hasValues(groups) ? await members.listed() : new Set();
  // Somebody who is listed only in other collections is compared there.
  const isHere = (email: string) => people.has(email) || stored.has(email) || !ofSource.has(email);
  const inGroups = await findMembersOfGroups(groups, members, isHere);
  const comparison = new Comparison(listed, { sourceId: members.sourceId, collection: key });
  const knownOf = (email: string, member = inGroups.get(email)): Known => ({
    email,
    person: people.get(email),
    stored: stored.get(email),
    member,
  });
  for await (const emails of inChunks(addressesIn(people, stored, inGroups))) {
    const open = emails.filter((email) => !comparison.addIfUpToDate(knownOf(email)));
    const elsewhere = await members.elsewhere(key, open);
    const others = await members.withAddress(open.filter((email) => !inGroups.has(email)));
    for (const email of open) {
      comparison.add(knownOf(email, inGroups.get(email) ?? others.get(email)), elsewhere.get(email));
    }
  }
  return comparison.difference;
}

/** Everybody once. */
function* addressesIn(
  people: People,
  stored: People,
  members: ReadonlyMap<string, unknown>,
): Iterable<string> {
  yield* people.keys();
  for (const email of stored.keys()) if (!people.has(email)) yield email;
  for (const email of members.keys()) if (!people.has(email) && !stored.has(email)) yield email;
}

/** The members of the group of a collection, and those of the groups of values who are here, by email address. */
async function findMembersOfGroups(
  groups: GroupsByValue,
  members: SourceMembers,
  isHere: (email: string) => boolean,
): Promise<Map<string, GroupMember>> {
  const found = new Map<string, GroupMember & { values: Set<string> }>();
  for (const [value, { groupId }] of groups) {
    const isOwn = value === ownGroup;
    const ofGroup = await (isOwn ? members.ofOwnGroup(groupId) : members.ofGroup(groupId));
    for await (const chunk of inChunks(ofGroup)) {
      for (const { email, displayName, paid } of chunk) {
        if (!isOwn && !isHere(email)) continue;
        const known = found.get(email) ?? { displayName, paid, values: new Set<string>() };
        known.values.add(value);
        found.set(email, known);
      }
    }
  }
  return found;
}
