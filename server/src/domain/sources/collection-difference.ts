import { setImmediate } from 'node:timers/promises';
import type { Queries } from '../../storage/database.ts';
import { lookUpMembersByEmail } from '../members/member-lookup.ts';
import { findMembersOfGroup } from '../memberships/memberships.ts';
import { ownGroup, type Person } from './collection-people.ts';
import { decidedValues, valuesElsewhere } from './person-elsewhere.ts';
import type { SourceCollection } from './source.ts';
import { type GroupsByValue, hasValues } from './source-groups.ts';
import { SourceMembers } from './source-members.ts';
import { findStoredPeople, type PersonElsewhere, selectPeopleElsewhere } from './source-people-store.ts';
import { inTurns } from './turns.ts';

/** What a synchronization has to change to bring the groups of a collection in step with it. */
export interface CollectionDifference {
  /** The people of the collection who are new, changed, or not in exactly their groups. */
  readonly changed: readonly Person[];
  /** The addresses of those who are no longer in the collection. */
  readonly gone: readonly string[];
  /** Those who would leave a group, gone or not: the values of these groups, by email address. */
  readonly leaving: ReadonlyMap<string, readonly string[]>;
  /** The addresses of those in the collection who would no longer be marked as paid. */
  readonly unpaid: ReadonlySet<string>;
  /** The addresses of those who would become members. */
  readonly created: ReadonlySet<string>;
  /** Those who would be added to a group: the values of these groups, by email address. */
  readonly added: ReadonlyMap<string, readonly string[]>;
  /** The addresses of those whose name or `paid` would be changed. */
  readonly updated: ReadonlySet<string>;
  /** What people would lose, by email address: the collection, a group, or being marked as paid. */
  readonly losses: ReadonlyMap<string, readonly Loss[]>;
  /** The numbers of people before: in the collection, in one of its groups, and marked as paid. */
  readonly before: { readonly people: number; readonly inGroups: number; readonly paid: number };
}

export type Loss = 'collection' | 'group' | 'paid';

/** A member as far as a source can change it. */
interface Held {
  readonly displayName: string | null;
  readonly paid: boolean | null;
  /** The values of the groups that the member is in. */
  readonly values: ReadonlySet<string>;
}

/**
 * Compares the people of a collection, all at once, with its groups as they are.
 * @param members shared by the collections of a run, as long as it removes nobody
 */
export async function compareCollection(
  db: Queries,
  siteId: string,
  sourceId: string,
  collection: SourceCollection,
  groups: GroupsByValue,
  people: ReadonlyMap<string, Person>,
  members = new SourceMembers(db, siteId, sourceId),
): Promise<CollectionDifference> {
  const stored = await findStoredPeople(db, siteId, sourceId, collection.key);
  const listed: ReadonlySet<string> = hasValues(groups) ? await members.listed() : new Set();
  // Somebody who is listed only in other collections is compared there.
  const isHere = (email: string) => people.has(email) || stored.has(email) || !listed.has(email);
  const held = await findMembersOfGroups(db, siteId, groups, members, isHere);
  const settled = new Set(
    [...people.values()].filter((person) => isSettled(person, stored, held)).map(({ email }) => email),
  );
  const unsettled = [...new Set([...people.keys(), ...stored.keys(), ...held.keys()])].filter(
    (email) => !settled.has(email),
  );
  await setImmediate();
  const elsewhere = await findPeopleElsewhere(db, siteId, sourceId, collection, unsettled);
  await addMembersWithoutGroup(db, siteId, unsettled, held);

  const leaving = valuesLeft(unsettled, people, held, elsewhere, sourceId);
  await setImmediate();
  const here = { sourceId, collection: collection.key };
  const decided = new Map(
    [...people.values()].map((person) => [
      person.email,
      decidedValues(person, elsewhere.get(person.email), here),
    ]),
  );
  const changed = [...people.values()].filter((person) => {
    const { email } = person;
    const values = valuesElsewhere(elsewhere.get(email), sourceId);
    return !settled.has(email) && !isSettled(person, stored, held, values, decided.get(email));
  });
  await setImmediate();
  const gone = unsettled.filter((email) => !people.has(email) && (stored.has(email) || leaving.has(email)));
  const unpaid = addressesOf(
    changed,
    ({ email }) => decided.get(email)!.paid === false && held.get(email)?.paid === true,
  );
  const before = new Set([...stored.keys(), ...gone]);
  return {
    ...{ changed, gone, leaving, unpaid },
    created: addressesOf(changed, ({ email }) => !held.has(email)),
    added: valuesJoined(changed, held),
    updated: addressesOf(changed, ({ email }) => hasOtherValues(decided.get(email)!, held.get(email))),
    losses: lossesOf({ gone, leaving, unpaid }),
    before: {
      people: before.size,
      inGroups: [...before].filter((email) => (held.get(email)?.values.size ?? 0) > 0).length,
      paid: [...people.values()].filter(({ email, paid }) => paid !== undefined && held.get(email)?.paid)
        .length,
    },
  };
}

async function findPeopleElsewhere(
  db: Queries,
  siteId: string,
  sourceId: string,
  { key }: SourceCollection,
  emails: readonly string[],
): Promise<Map<string, PersonElsewhere[]>> {
  const elsewhere = new Map<string, PersonElsewhere[]>();
  await inTurns(emails, async (part) => {
    const found = await selectPeopleElsewhere(db, siteId, sourceId, key, part);
    for (const [email, people] of found) elsewhere.set(email, people);
  });
  return elsewhere;
}

function lossesOf({
  gone,
  leaving,
  unpaid,
}: Pick<CollectionDifference, 'gone' | 'leaving' | 'unpaid'>): Map<string, Loss[]> {
  const losses = new Map<string, Loss[]>();
  const add = (emails: Iterable<string>, loss: Loss) => {
    for (const email of emails) losses.set(email, [...(losses.get(email) ?? []), loss]);
  };
  add(gone, 'collection');
  add(leaving.keys(), 'group');
  add(unpaid, 'paid');
  return losses;
}

/** What can be changed so that nobody loses anything. */
export function withoutLosses({
  changed,
  leaving,
  unpaid,
}: CollectionDifference): Pick<CollectionDifference, 'changed' | 'gone'> {
  return {
    gone: [],
    changed: changed.map((person) => ({
      ...person,
      values: [...new Set([...person.values, ...(leaving.get(person.email) ?? [])])].sort(),
      ...(unpaid.has(person.email) && { paid: true }),
    })),
  };
}

/** The values of the groups that people would leave, by email address. */
function valuesLeft(
  emails: readonly string[],
  people: ReadonlyMap<string, Person>,
  held: ReadonlyMap<string, Held>,
  elsewhere: ReadonlyMap<string, readonly PersonElsewhere[]>,
  sourceId: string,
): Map<string, string[]> {
  const leaving = new Map<string, string[]>();
  for (const email of emails) {
    const stays = new Set([
      ...(people.get(email)?.values ?? []),
      ...valuesElsewhere(elsewhere.get(email), sourceId),
    ]);
    const left = [...(held.get(email)?.values ?? [])].filter((value) => !stays.has(value));
    if (left.length > 0) leaving.set(email, left);
  }
  return leaving;
}

function valuesJoined(people: readonly Person[], held: ReadonlyMap<string, Held>): Map<string, string[]> {
  const joined = people.map(({ email, values }): [string, string[]] => [
    email,
    values.filter((value) => !held.get(email)?.values.has(value)),
  ]);
  return new Map(joined.filter(([, values]) => values.length > 0));
}

/** The members of the group of a collection, and those of the groups of values who are here, by email address. */
async function findMembersOfGroups(
  db: Queries,
  siteId: string,
  groups: GroupsByValue,
  members: SourceMembers,
  isHere: (email: string) => boolean,
): Promise<Map<string, Held>> {
  const held = new Map<string, Held & { values: Set<string> }>();
  for (const [value, { groupId }] of groups) {
    const ofGroup =
      value === ownGroup
        ? await findMembersOfGroup(db, siteId, groupId)
        : (await members.ofGroup(groupId)).filter(({ email }) => isHere(email));
    for (const { email, displayName, paid } of ofGroup) {
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
  await inTurns(missing, async (part) => {
    for (const { email, displayName, paid } of await lookUpMembersByEmail(db, siteId, part)) {
      held.set(email, { displayName, paid, values: new Set() });
    }
  });
}

/**
 * Whether nothing has to be changed for a person.
 * @param elsewhere the values in other collections of the source
 * @param decided the name and `paid` that the member gets
 */
function isSettled(
  { email, values, displayName, paid }: Person,
  allStored: ReadonlyMap<string, Person>,
  allHeld: ReadonlyMap<string, Held>,
  elsewhere: ReadonlySet<string> = new Set(),
  decided: Pick<Person, 'displayName' | 'paid'> = { displayName, paid },
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
    !hasOtherValues(decided, held)
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
