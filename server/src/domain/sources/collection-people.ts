import type { SkipReason } from '@gatehouse/contract';
import { normalizeEmail } from '@gatehouse/contract/email-address';
import { normalizeDisplayName } from '@gatehouse/contract/names';
import type { WorkspacePerson } from './workspace.ts';

/** The value that stands for the group of the collection itself. */
export const ownGroup = '';

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
  readonly skipped: readonly Skipped[];
}

/** Checks everybody in a collection. A person who is listed more than once is in all the groups. */
export async function checkPeople(listed: AsyncIterable<WorkspacePerson>): Promise<CollectionPeople> {
  const people = new Map<string, Person>();
  const skipped: Skipped[] = [];
  for await (const each of listed) {
    const email = normalizeEmail(each.email);
    if (email === null) {
      const reason = each.email.trim() === '' ? 'no_email' : 'invalid_email';
      skipped.push({ place: each.place, value: start(each.email), reason });
      continue;
    }
    const person = {
      email,
      values: valuesOf(each, skipped),
      displayName: nameOf(each, skipped),
      paid: each.paid,
    };
    const known = people.get(email);
    people.set(email, known ? joined(known, person) : person);
  }
  return { people, skipped };
}

/** A group that cannot be stored is left out; the person stays. */
function valuesOf({ groups, place }: WorkspacePerson, skipped: Skipped[]): string[] {
  if (groups === undefined) return [ownGroup];
  const named = groups.map((group) => group.trim().toWellFormed().normalize('NFC'));
  const isUsable = (group: string) => group.length <= maxValueLength && !group.includes('\0');
  for (const value of named.filter((group) => !isUsable(group))) {
    skipped.push({ place, value: start(value), reason: 'invalid_group' });
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
function nameOf({ displayName, place }: WorkspacePerson, skipped: Skipped[]): string | null | undefined {
  if (displayName === undefined || displayName === null) return displayName;
  const name = normalizeDisplayName(displayName);
  if (name === undefined) skipped.push({ place, value: start(displayName), reason: 'invalid_display_name' });
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
