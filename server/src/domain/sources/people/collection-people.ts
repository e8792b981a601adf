import type { SkipReason } from '@gatehouse/contract';
import { normalizeEmail } from '@gatehouse/contract/email-address';
import { maxListRows } from '@gatehouse/contract/limits';
import { normalizeDisplayName } from '@gatehouse/contract/names';
import { isUnknownCell } from '@gatehouse/member-lists';
import { maxListed } from '../runs/run.ts';
import { CollectionUnreadable, type WorkspacePerson } from '../workspaces/workspace.ts';

/** The value that stands for the group of the collection itself. */
export const ownGroup = '';

/** A column with more different values than this does not name groups. */
export const maxGroups = 500;

/** A person of a collection whose values have been checked. */
export interface Person {
  readonly email: string;
  /** The values of the column that names groups, sorted; `ownGroup` if there is no such column. */
  readonly values: readonly string[];
  /** Undefined if the source has no names. */
  readonly displayName: string | null | undefined;
  /** Undefined if the source does not know who has paid. */
  readonly paid: boolean | undefined;
}

export interface Skipped {
  readonly place: string;
  readonly value: string;
  readonly reason: SkipReason;
}

export interface CollectionPeople {
  /** By email address. */
  readonly people: ReadonlyMap<string, Person>;
  /** The addresses of those who have a row that is not clear: they stay as they are. */
  readonly uncertain: ReadonlySet<string>;
  /** The names in rows without an address: whoever had such a name before may have lost only the address. */
  readonly namesWithoutAddress: ReadonlySet<string>;
  /** The number of rows whose address cannot be read: each may be anyone. */
  readonly unreadable: number;
}

/** A collection of which everything could be read. */
export function clearPeople(people: ReadonlyMap<string, Person>): CollectionPeople {
  return { people, uncertain: new Set(), namesWithoutAddress: new Set(), unreadable: 0 };
}

/**
 * Checks everyone in a collection. A person who is listed more than once is in all the groups.
 * @throws {CollectionUnreadable} `too_large`
 */
export async function checkPeople(
  listed: AsyncIterable<WorkspacePerson>,
): Promise<CollectionPeople & { readonly skipped: SkippedValues }> {
  const check = new PeopleCheck();
  for await (const each of listed) check.add(each);
  return check.result;
}

class PeopleCheck {
  /** Without those who are uncertain, from the start: to remove them from a million in the end takes half a second. */
  readonly #people = new Map<string, Person>();
  readonly #uncertain = new Set<string>();
  readonly #namesWithoutAddress = new Set<string>();
  readonly #skipped = new SkippedValues();
  readonly #values = new GroupValues();
  #rows = 0;
  #unreadable = 0;

  get result() {
    return {
      people: this.#people,
      uncertain: this.#uncertain,
      namesWithoutAddress: this.#namesWithoutAddress,
      unreadable: this.#unreadable,
      skipped: this.#skipped,
    };
  }

  /** @throws {CollectionUnreadable} */
  add(each: WorkspacePerson): void {
    this.#rows += 1;
    if (this.#rows > maxListRows) throw tooManyRows();
    const email = normalizeEmail(each.email);
    if (email === null) {
      this.#addWithoutAddress(each);
      return;
    }
    const unclear = unclearOf(each);
    if (unclear) {
      this.#skipped.add(each.place, unclear.value, unclear.reason);
      this.#uncertain.add(email);
      this.#people.delete(email);
      return;
    }
    const person = {
      email,
      values: this.#values.of(valuesOf(each, this.#skipped)),
      displayName: nameOf(each, this.#skipped),
      paid: each.paid,
    };
    if (this.#uncertain.has(email)) return;
    const known = this.#people.get(email);
    if (hasOtherName(known, person)) this.#skipped.add(each.place, person.displayName ?? '', 'other_name');
    this.#people.set(email, known ? joined(known, person) : person);
  }

  #addWithoutAddress({ place, email, displayName }: WorkspacePerson): void {
    if (email.trim() !== '') {
      this.#unreadable += 1;
      this.#skipped.add(place, email, isUnknownCell(email) ? 'unknown_value' : 'invalid_email');
      return;
    }
    this.#skipped.add(place, email, 'no_email');
    const name = normalizeDisplayName(displayName ?? null);
    if (name) this.#namesWithoutAddress.add(name);
  }
}

/** Why a row is not clear. */
function unclearOf({ displayName, groups = [], unclear }: WorkspacePerson): WorkspacePerson['unclear'] {
  const unknown = [displayName ?? '', ...groups].find(isUnknownCell);
  return unclear ?? (unknown === undefined ? undefined : { reason: 'unknown_value', value: unknown });
}

/** Whether a later row of a person has another name, which is not used. */
function hasOtherName(known: Person | undefined, { displayName }: Person): boolean {
  return Boolean(known?.displayName && displayName && known.displayName !== displayName);
}

/** What was left out: how often, and the first few, because a list may have millions of invalid rows. */
export class SkippedValues {
  count = 0;
  readonly first: Skipped[] = [];

  add(place: string, value: string, reason: SkipReason): void {
    this.count += 1;
    if (this.first.length < maxListed) this.first.push({ place, value: start(value), reason });
  }
}

/** The values that name the groups of a collection. Each is in memory once, for all people who have it. */
class GroupValues {
  /** Each in a list of its own, which is that of most people. */
  readonly #known = new Map<string, readonly [string]>();

  /** @throws {CollectionUnreadable} at more values than a collection may have groups */
  of(values: readonly string[]): readonly string[] {
    const lists = values.map((value) => this.#listOf(value));
    return lists.length === 1 ? lists[0]! : lists.map(([value]) => value);
  }

  #listOf(value: string): readonly [string] {
    const known = this.#known.get(value);
    if (known !== undefined) return known;
    if (this.#known.size >= maxGroups) throw tooManyGroups();
    const list = [value] as const;
    this.#known.set(value, list);
    return list;
  }
}

export function tooManyGroups(): CollectionUnreadable {
  return new CollectionUnreadable(
    'too_large',
    `The column with the groups has more than ${maxGroups} different values, or was changed too often. Choose a column ` +
      'with the names of groups, or none.',
  );
}

function tooManyRows(): CollectionUnreadable {
  return new CollectionUnreadable(
    'too_large',
    `The collection has more than ${maxListRows.toLocaleString('en-US')} rows. Split it into several collections.`,
  );
}

/** A group that cannot be stored is left out; the person stays. */
function valuesOf({ groups, place }: WorkspacePerson, skipped: SkippedValues): string[] {
  if (groups === undefined) return [ownGroup];
  const named = groups.map((group) => group.trim().toWellFormed().normalize('NFC'));
  const isUsable = (group: string) => group.length <= maxValueLength && !group.includes('\0');
  for (const value of named.filter((group) => !isUsable(group))) {
    skipped.add(place, value, 'invalid_group');
  }
  return [...new Set(named.filter((group) => group !== '' && isUsable(group)))].sort();
}

/** Of the name of a group in a workspace. Longer texts are no names. */
const maxValueLength = 500;
/** Of a value in a report. */
const maxShownLength = 200;

function start(text: string): string {
  return text.slice(0, maxShownLength).toWellFormed();
}

/** A name that cannot be stored is left out; the person stays. */
function nameOf({ displayName, place }: WorkspacePerson, skipped: SkippedValues): string | null | undefined {
  if (displayName === undefined || displayName === null) return displayName;
  const name = normalizeDisplayName(displayName);
  if (name === undefined) skipped.add(place, displayName, 'invalid_display_name');
  return name;
}

function joined(one: Person, other: Person): Person {
  return {
    email: one.email,
    values: [...new Set([...one.values, ...other.values])].sort(),
    displayName: one.displayName ?? other.displayName,
    paid: one.paid === undefined ? other.paid : one.paid || other.paid === true,
  };
}
