import { lookUpMembersByEmail } from '../../domain/members/member-lookup.ts';
import type { SourceCollection } from '../../domain/sources/collections/collection.ts';
import { type GroupsByValue, hasValues } from '../../domain/sources/groups/source-groups.ts';
import {
  type CollectionPeople,
  ownGroup,
  type Person,
} from '../../domain/sources/people/collection-people.ts';
import { decidedValues, valuesElsewhere } from '../../domain/sources/people/person-elsewhere.ts';
import {
  findPeopleElsewhere,
  findStoredPeople,
  type PersonElsewhere,
} from '../../domain/sources/people/source-people.ts';
import type { Queries } from '../../storage/database.ts';
import { inChunks } from './chunks.ts';
import { Sample } from './sample.ts';
import { SourceMembers } from './source-members.ts';

/** What a synchronization has to change to bring the groups of a collection in step with it. */
export interface CollectionDifference {
  /** The people of the collection who are new, changed, or not in exactly their groups. */
  readonly changed: readonly Person[];
  /** The addresses of those who are no longer in the collection. */
  readonly gone: readonly string[];
  /** How many of them have a name that is now in a row without an address: they may be meant all the same. */
  readonly withoutAddress: number;
  /** Those who would leave a group, gone or not: the values of these groups, by email address. */
  readonly leaving: ReadonlyMap<string, readonly string[]>;
  /** The addresses of those in the collection who would no longer be paying. */
  readonly unpaid: ReadonlySet<string>;
  /** What people would lose, by email address: the collection, a group, or their status as paying. */
  readonly losses: ReadonlyMap<string, readonly Loss[]>;
  readonly counts: DifferenceCounts;
  /** The first of those who would be added to a group, and of those who would lose something. */
  readonly sample: { readonly added: Sample; readonly removed: Sample };
  /** The numbers of people before: in the collection, in one of its groups, and paying. */
  readonly before: { readonly people: number; readonly inGroups: number; readonly paid: number };
}

export type Loss = 'collection' | 'group' | 'paid';

/** How many would become members, would be added to a group, would leave one, and would get another name or `paid`. */
export interface DifferenceCounts {
  readonly created: number;
  readonly added: number;
  readonly removed: number;
  readonly changed: number;
}

/** A member as far as a source can change it. */
interface Held {
  readonly displayName: string | null;
  readonly paid: boolean | null;
  /** The values of the groups that the member is in. */
  readonly values: ReadonlySet<string>;
}

type People = ReadonlyMap<string, Person>;

/**
 * Compares the people of a collection, all at once, with its groups as they are. Those who are uncertain stay as they
 * are.
 * @param members shared by the collections of a run, as long as it removes nobody
 */
export async function compareCollection(
  db: Queries,
  siteId: string,
  sourceId: string,
  collection: SourceCollection,
  groups: GroupsByValue,
  listed: CollectionPeople,
  members = new SourceMembers(db, siteId, sourceId),
): Promise<CollectionDifference> {
  const stored = await findStoredPeople(db, siteId, sourceId, collection.key);
  const { people } = listed;
  const ofSource: ReadonlySet<string> = hasValues(groups) ? await members.listed() : new Set();
  // Somebody who is listed only in other collections is compared there.
  const isHere = (email: string) => people.has(email) || stored.has(email) || !ofSource.has(email);
  const held = await findMembersOfGroups(groups, members, isHere);
  const comparison = new Comparison(listed, stored, { sourceId, collection: collection.key });
  for await (const emails of inChunks(addressesIn(people, stored, held))) {
    const open = emails.filter((email) => !comparison.addIfSettled(email, held.get(email)));
    const elsewhere = await findPeopleElsewhere(db, siteId, sourceId, collection.key, open);
    const others = await findMembersWithoutGroup(db, siteId, open, held);
    for (const email of open) {
      comparison.add(email, elsewhere.get(email), held.get(email) ?? others.get(email));
    }
  }
  return comparison.difference;
}

/** Everybody once. */
function* addressesIn(people: People, stored: People, held: ReadonlyMap<string, Held>): Iterable<string> {
  yield* people.keys();
  for (const email of stored.keys()) if (!people.has(email)) yield email;
  for (const email of held.keys()) if (!people.has(email) && !stored.has(email)) yield email;
}

/** Of the people of a collection, one after the other. */
class Comparison {
  readonly #listed: CollectionPeople;
  readonly #people: People;
  readonly #stored: People;
  readonly #here: { readonly sourceId: string; readonly collection: string };
  readonly #changed: Person[] = [];
  readonly #gone: string[] = [];
  readonly #leaving = new Map<string, string[]>();
  #withoutAddress = 0;
  readonly #unpaid = new Set<string>();
  readonly #losses = new Map<string, Loss[]>();
  readonly #counts = { created: 0, added: 0, removed: 0, changed: 0 };
  readonly #sample = { added: new Sample(), removed: new Sample() };
  readonly #before = { people: 0, inGroups: 0, paid: 0 };

  /** @param stored the people of the last synchronization */
  constructor(listed: CollectionPeople, stored: People, here: { sourceId: string; collection: string }) {
    this.#listed = listed;
    this.#people = listed.people;
    this.#stored = stored;
    this.#here = here;
  }

  get difference(): CollectionDifference {
    return {
      changed: this.#changed,
      gone: this.#gone,
      withoutAddress: this.#withoutAddress,
      leaving: this.#leaving,
      unpaid: this.#unpaid,
      losses: this.#losses,
      counts: this.#counts,
      sample: this.#sample,
      before: this.#before,
    };
  }

  /** Adds somebody for whom nothing has to be changed, whatever other collections say. */
  addIfSettled(email: string, held: Held | undefined): boolean {
    const person = this.#people.get(email);
    if (!person || !isSettled(person, this.#stored.get(email), held)) return false;
    this.#addBefore(email, false, held);
    return true;
  }

  add(email: string, elsewhere: readonly PersonElsewhere[] | undefined, held: Held | undefined): void {
    if (this.#listed.uncertain.has(email)) {
      this.#addBefore(email, false, held);
      return;
    }
    const person = this.#people.get(email);
    const values = valuesElsewhere(elsewhere, this.#here.sourceId);
    const left = [...(held?.values ?? [])].filter(
      (value) => !(person?.values.includes(value) || values.has(value)),
    );
    const isGone = !person && (this.#stored.has(email) || left.length > 0);
    this.#addBefore(email, isGone, held);
    if (left.length > 0) this.#leaving.set(email, left);
    if (isGone) this.#gone.push(email);
    const name = this.#stored.get(email)?.displayName;
    if (isGone && name && this.#listed.namesWithoutAddress.has(name)) this.#withoutAddress += 1;
    const isUnpaid = person !== undefined && this.#addPerson(person, elsewhere, values, held);
    const losses: Loss[] = [];
    if (isGone) losses.push('collection');
    if (left.length > 0) losses.push('group');
    if (isUnpaid) losses.push('paid');
    this.#counts.removed += left.length;
    if (losses.length === 0) return;
    this.#losses.set(email, losses);
    this.#sample.removed.add(email);
  }

  #addBefore(email: string, isGone: boolean, held: Held | undefined): void {
    if (this.#people.get(email)?.paid !== undefined && held?.paid) this.#before.paid += 1;
    if (!isGone && !this.#stored.has(email)) return;
    this.#before.people += 1;
    if (held !== undefined && held.values.size > 0) this.#before.inGroups += 1;
  }

  /** Returns whether the person would no longer be paying. */
  #addPerson(
    person: Person,
    elsewhere: readonly PersonElsewhere[] | undefined,
    values: ReadonlySet<string>,
    held: Held | undefined,
  ): boolean {
    const { email } = person;
    const decided = decidedValues(person, elsewhere, this.#here);
    if (isSettled(person, this.#stored.get(email), held, values, decided)) return false;
    this.#changed.push(person);
    if (held === undefined) this.#counts.created += 1;
    const joined = person.values.filter((value) => !held?.values.has(value)).length;
    this.#counts.added += joined;
    if (joined > 0) this.#sample.added.add(email);
    if (hasOtherValues(decided, held)) this.#counts.changed += 1;
    const isUnpaid = decided.paid === false && held?.paid === true;
    if (isUnpaid) this.#unpaid.add(email);
    return isUnpaid;
  }
}

/** What can be changed so that nobody loses anything. */
export function* withoutLosses({
  changed,
  leaving,
  unpaid,
}: Pick<CollectionDifference, 'changed' | 'leaving' | 'unpaid'>): Iterable<Person> {
  for (const person of changed) {
    yield {
      ...person,
      values: [...new Set([...person.values, ...(leaving.get(person.email) ?? [])])].sort(),
      ...(unpaid.has(person.email) && { paid: true }),
    };
  }
}

/** The members of the group of a collection, and those of the groups of values who are here, by email address. */
async function findMembersOfGroups(
  groups: GroupsByValue,
  members: SourceMembers,
  isHere: (email: string) => boolean,
): Promise<Map<string, Held>> {
  const held = new Map<string, Held & { values: Set<string> }>();
  for (const [value, { groupId }] of groups) {
    const isOwn = value === ownGroup;
    const ofGroup = await (isOwn ? members.ofOwnGroup(groupId) : members.ofGroup(groupId));
    for await (const part of inChunks(ofGroup)) {
      for (const { email, displayName, paid } of part) {
        if (!isOwn && !isHere(email)) continue;
        const known = held.get(email) ?? { displayName, paid, values: new Set<string>() };
        known.values.add(value);
        held.set(email, known);
      }
    }
  }
  return held;
}

async function findMembersWithoutGroup(
  db: Queries,
  siteId: string,
  emails: readonly string[],
  held: ReadonlyMap<string, Held>,
): Promise<Map<string, Held>> {
  const missing = emails.filter((email) => !held.has(email));
  const members = await lookUpMembersByEmail(db, siteId, missing);
  return new Map(
    members.map(({ email, displayName, paid }) => [email, { displayName, paid, values: noValues }]),
  );
}

const noValues: ReadonlySet<string> = new Set();

/**
 * Whether nothing has to be changed for a person.
 * @param elsewhere the values in other collections of the source
 * @param decided the name and `paid` that the member gets
 */
function isSettled(
  { values, displayName, paid }: Person,
  stored: Person | undefined,
  held: Held | undefined,
  elsewhere: ReadonlySet<string> = new Set(),
  decided: Pick<Person, 'displayName' | 'paid'> = { displayName, paid },
): boolean {
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
