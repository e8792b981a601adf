import type { CollectionPeople, Person } from '../../../domain/sources/people/collection-people.ts';
import {
  decidedValues,
  type PersonElsewhere,
  valuesElsewhere,
} from '../../../domain/sources/people/source-people.ts';
import { Sample } from './sample.ts';
import type { GroupMember } from './source-members.ts';

/** What a synchronization has to change to bring the groups of a collection in step with it. */
export interface CollectionDifference {
  /** The people of the collection who are new, changed, or not in exactly their groups. */
  readonly changed: readonly Person[];
  /** The addresses of those who are no longer in the collection. */
  readonly gone: readonly string[];
  /** What people would lose, by email address: the collection, a group, or their status as paying. */
  readonly losses: ReadonlyMap<string, readonly Loss[]>;
  readonly details: LossDetails;
  readonly counts: DifferenceCounts;
  /** The first of those who would be added to a group, and of those who would lose something. */
  readonly sample: { readonly added: Sample; readonly removed: Sample };
  /** The numbers of people before: in the collection, in one of its groups, and paying. */
  readonly before: { readonly people: number; readonly inGroups: number; readonly paid: number };
}

export type Loss = 'collection' | 'group' | 'paid';

interface LossDetails {
  /** Those who would leave a group, gone or not: the values of these groups, by email address. */
  readonly leaving: ReadonlyMap<string, readonly string[]>;
  /** The addresses of those in the collection who would no longer be paying. */
  readonly unpaid: ReadonlySet<string>;
  /** How many of those who are gone have a name that is now in a row without an address: they may be meant all the same. */
  readonly withoutAddress: number;
}

/** How many would become members, would be added to a group, would leave one, and would get another name or `paid`. */
export interface DifferenceCounts {
  readonly created: number;
  readonly added: number;
  readonly removed: number;
  readonly changed: number;
}

/** What is known about one address. Each part is missing if there is none. */
export interface Known {
  readonly email: string;
  /** As the collection has the person now. */
  readonly person: Person | undefined;
  /** As the collection had the person when it was synchronized last. */
  readonly stored: Person | undefined;
  readonly member: GroupMember | undefined;
}

/** The comparison of a collection with its groups: its people are added one after the other. */
export class Comparison {
  readonly #listed: CollectionPeople;
  readonly #here: { readonly sourceId: string; readonly collection: string };
  readonly #changed: Person[] = [];
  readonly #gone: string[] = [];
  readonly #losses = new Map<string, Loss[]>();
  readonly #details = { leaving: new Map<string, string[]>(), unpaid: new Set<string>(), withoutAddress: 0 };
  readonly #numbers = {
    counts: { created: 0, added: 0, removed: 0, changed: 0 },
    before: { people: 0, inGroups: 0, paid: 0 },
  };
  readonly #sample = { added: new Sample(), removed: new Sample() };

  constructor(listed: CollectionPeople, here: { sourceId: string; collection: string }) {
    this.#listed = listed;
    this.#here = here;
  }

  get difference(): CollectionDifference {
    return {
      changed: this.#changed,
      gone: this.#gone,
      losses: this.#losses,
      details: this.#details,
      counts: this.#numbers.counts,
      sample: this.#sample,
      before: this.#numbers.before,
    };
  }

  /** Adds somebody for whom nothing has to be changed, whatever other collections say. */
  addIfUpToDate(known: Known): boolean {
    if (!known.person || !isUpToDate(known, noValues, known.person)) return false;
    this.#addBefore(known, false);
    return true;
  }

  /** @param elsewhere as other collections have the person */
  add(known: Known, elsewhere: readonly PersonElsewhere[] | undefined): void {
    const { email, person, stored, member } = known;
    if (this.#listed.uncertain.has(email)) {
      this.#addBefore(known, false);
      return;
    }
    const values = valuesElsewhere(elsewhere, this.#here.sourceId);
    const left = [...(member?.values ?? [])].filter(
      (value) => !(person?.values.includes(value) || values.has(value)),
    );
    const isGone = !person && (stored !== undefined || left.length > 0);
    this.#addBefore(known, isGone);
    const losses: Loss[] = [];
    if (isGone) {
      losses.push('collection');
      this.#addGone(email, stored);
    }
    if (left.length > 0) {
      losses.push('group');
      this.#details.leaving.set(email, left);
      this.#numbers.counts.removed += left.length;
    }
    if (person && this.#addPerson(known, person, values, elsewhere)) {
      losses.push('paid');
      this.#details.unpaid.add(email);
    }
    if (losses.length === 0) return;
    this.#losses.set(email, losses);
    this.#sample.removed.add(email);
  }

  #addBefore({ person, stored, member }: Known, isGone: boolean): void {
    const { before } = this.#numbers;
    if (person?.paid !== undefined && member?.paid) before.paid += 1;
    if (!isGone && stored === undefined) return;
    before.people += 1;
    if (member !== undefined && member.values.size > 0) before.inGroups += 1;
  }

  #addGone(email: string, stored: Person | undefined): void {
    this.#gone.push(email);
    const name = stored?.displayName;
    if (name && this.#listed.namesWithoutAddress.has(name)) this.#details.withoutAddress += 1;
  }

  /** Returns whether the person would no longer be paying. */
  #addPerson(
    known: Known,
    person: Person,
    values: ReadonlySet<string>,
    elsewhere: readonly PersonElsewhere[] | undefined,
  ): boolean {
    const { member } = known;
    const { counts } = this.#numbers;
    const decided = decidedValues(person, elsewhere, this.#here);
    if (isUpToDate(known, values, decided)) return false;
    this.#changed.push(person);
    if (member === undefined) counts.created += 1;
    const joined = person.values.filter((value) => !member?.values.has(value)).length;
    counts.added += joined;
    if (joined > 0) this.#sample.added.add(person.email);
    if (hasOtherValues(decided, member)) counts.changed += 1;
    return decided.paid === false && member?.paid === true;
  }
}

/** What can be changed so that nobody loses anything. */
export function* withoutLosses({
  changed,
  details: { leaving, unpaid },
}: CollectionDifference): Iterable<Person> {
  for (const person of changed) {
    yield {
      ...person,
      values: [...new Set([...person.values, ...(leaving.get(person.email) ?? [])])].sort(),
      ...(unpaid.has(person.email) && { paid: true }),
    };
  }
}

const noValues: ReadonlySet<string> = new Set();

/** The name and `paid` that a member gets; undefined for what stays. */
type DecidedValues = Pick<Person, 'displayName' | 'paid'>;

/**
 * Whether nothing has to be changed for a person.
 * @param elsewhere the values in other collections of the source
 */
function isUpToDate(
  { person, stored, member }: Known,
  elsewhere: ReadonlySet<string>,
  decided: DecidedValues,
): boolean {
  return (
    person !== undefined &&
    stored !== undefined &&
    member !== undefined &&
    sameValues(person.values, stored.values) &&
    person.displayName === stored.displayName &&
    person.paid === stored.paid &&
    person.values.every((value) => member.values.has(value)) &&
    [...member.values].every((value) => person.values.includes(value) || elsewhere.has(value)) &&
    !hasOtherValues(decided, member)
  );
}

/** Whether a member would get another name or `paid`. Somebody who is not a member yet is created with them. */
function hasOtherValues({ displayName, paid }: DecidedValues, member: GroupMember | undefined): boolean {
  if (member === undefined) return false;
  return (
    (displayName !== undefined && displayName !== member.displayName) ||
    (paid !== undefined && paid !== member.paid)
  );
}

function sameValues(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((value, index) => value === other[index]);
}
