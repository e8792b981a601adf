import type { Queries } from '../../storage/database.ts';
import { lookUpMembersByEmail } from '../members/member-lookup.ts';
import { findMembersOfGroup } from '../memberships/memberships.ts';
import type { Person } from './collection-people.ts';
import type { SourceCollection } from './source.ts';
import type { GroupsByValue } from './source-groups.ts';
import { findStoredPeople, type StoredPerson, selectValuesElsewhere } from './source-people-store.ts';

/** What a synchronization has to change to bring the groups of a collection in step with it. */
export interface CollectionDifference {
  /** The people of the collection who are new, changed, or not in exactly their groups. */
  readonly changed: readonly Person[];
  /** The addresses of those who are no longer in the collection. */
  readonly gone: readonly string[];
  /** Those who would leave a group, gone or not: the values of these groups, by email address. */
  readonly leaving: ReadonlyMap<string, readonly string[]>;
  /** The addresses of those who would become members. */
  readonly created: ReadonlySet<string>;
  /** Those who would be added to a group: the values of these groups, by email address. */
  readonly added: ReadonlyMap<string, readonly string[]>;
  /** The addresses of those whose name or `paid` would be changed. */
  readonly updated: ReadonlySet<string>;
  /** The number of people before. */
  readonly peopleBefore: number;
}

/** A member as far as a source can change it. */
interface Held {
  readonly displayName: string | null;
  readonly paid: boolean | null;
  /** The values of the groups that the member is in. */
  readonly values: ReadonlySet<string>;
}

/** Compares the people of a collection, all at once, with its groups as they are. */
export async function compareCollection(
  db: Queries,
  siteId: string,
  sourceId: string,
  collection: SourceCollection,
  groups: GroupsByValue,
  people: ReadonlyMap<string, Person>,
): Promise<CollectionDifference> {
  const stored = await findStoredPeople(db, siteId, sourceId, collection.key);
  const held = await findMembersOfGroups(db, siteId, groups);
  const settled = new Set(
    [...people.values()].filter((person) => isSettled(person, stored, held)).map(({ email }) => email),
  );
  const unsettled = [...new Set([...people.keys(), ...stored.keys(), ...held.keys()])].filter(
    (email) => !settled.has(email),
  );
  const elsewhere = await selectValuesElsewhere(db, siteId, sourceId, collection.key, unsettled);
  const leaving = new Map<string, string[]>();
  for (const email of unsettled) {
    const stays = new Set([...(people.get(email)?.values ?? []), ...(elsewhere.get(email) ?? [])]);
    const left = [...(held.get(email)?.values ?? [])].filter((value) => !stays.has(value));
    if (left.length > 0) leaving.set(email, left);
  }
  await addMembersWithoutGroup(db, siteId, unsettled, held);

  const changed = [...people.values()].filter(
    (person) => !settled.has(person.email) && !isSettled(person, stored, held, elsewhere.get(person.email)),
  );
  const gone = unsettled.filter((email) => !people.has(email) && (stored.has(email) || leaving.has(email)));
  return {
    changed,
    gone,
    leaving,
    created: addressesOf(changed, ({ email }) => !held.has(email)),
    added: valuesJoined(changed, held),
    updated: addressesOf(changed, (person) => hasOtherValues(person, held.get(person.email))),
    peopleBefore: new Set([...stored.keys(), ...gone]).size,
  };
}

function valuesJoined(people: readonly Person[], held: ReadonlyMap<string, Held>): Map<string, string[]> {
  const joined = people.map(({ email, values }): [string, string[]] => [
    email,
    values.filter((value) => !held.get(email)?.values.has(value)),
  ]);
  return new Map(joined.filter(([, values]) => values.length > 0));
}

/** The members of the groups, by email address. */
async function findMembersOfGroups(
  db: Queries,
  siteId: string,
  groups: GroupsByValue,
): Promise<Map<string, Held>> {
  const held = new Map<string, Held & { values: Set<string> }>();
  for (const [value, { groupId }] of groups) {
    for (const { email, displayName, paid } of await findMembersOfGroup(db, siteId, groupId)) {
      const known = held.get(email) ?? { displayName, paid, values: new Set<string>() };
      known.values.add(value);
      held.set(email, known);
    }
  }
  return held;
}

async function addMembersWithoutGroup(
  db: Queries,
  siteId: string,
  emails: readonly string[],
  held: Map<string, Held>,
): Promise<void> {
  const missing = emails.filter((email) => !held.has(email));
  for (const { email, displayName, paid } of await lookUpMembersByEmail(db, siteId, missing)) {
    held.set(email, { displayName, paid, values: new Set() });
  }
}

/** Whether nothing has to be changed for a person. `elsewhere` has the values in other collections of the source. */
function isSettled(
  { email, values, displayName, paid }: Person,
  allStored: ReadonlyMap<string, StoredPerson>,
  allHeld: ReadonlyMap<string, Held>,
  elsewhere: ReadonlySet<string> = new Set(),
): boolean {
  const stored = allStored.get(email);
  const held = allHeld.get(email);
  return (
    stored !== undefined &&
    held !== undefined &&
    sameValues(values, stored.values) &&
    displayName === stored.displayName &&
    paid === stored.paid &&
    values.every((value) => held.values.has(value)) &&
    [...held.values].every((value) => values.includes(value) || elsewhere.has(value)) &&
    !hasOtherValues({ displayName, paid }, held)
  );
}

/** Whether a member would get another name or `paid`. Somebody who is not a member yet is created with them. */
function hasOtherValues({ displayName, paid }: Pick<Person, 'displayName' | 'paid'>, held?: Held): boolean {
  if (held === undefined) return false;
  return (
    (displayName !== undefined && displayName !== held.displayName) ||
    (paid !== undefined && paid !== held.paid)
  );
}

function sameValues(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((value, index) => value === other[index]);
}

function addressesOf(people: readonly Person[], matches: (person: Person) => boolean): Set<string> {
  return new Set(people.filter(matches).map(({ email }) => email));
}
