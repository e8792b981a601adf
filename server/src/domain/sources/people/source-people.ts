import type { CollectionId } from '../collections/collection.ts';
import { ownGroup, type Person } from './collection-people.ts';
import type { PersonElsewhere } from './source-people-store.ts';

// A person may be in several collections of a source, and in several sources. What they say about the person is joined
// here, so that they do not undo each other's changes.

/** The values of a person in the other collections of the source, without the groups of these collections. */
export function valuesElsewhere(elsewhere: readonly PersonElsewhere[] = [], sourceId: string): Set<string> {
  const ofSource = elsewhere.filter((each) => each.sourceId === sourceId);
  return new Set(ofSource.flatMap(({ values }) => values).filter((value) => value !== ownGroup));
}

/**
 * The name and `paid` that a member gets because of a person of a collection. Somebody has paid if one collection says
 * so; a name comes from the oldest source that has one. What another collection decides is undefined.
 */
export function decidedValues(
  { displayName, paid }: Pick<Person, 'displayName' | 'paid'>,
  elsewhere: readonly PersonElsewhere[] = [],
  here: CollectionId,
): Pick<Person, 'displayName' | 'paid'> {
  const isPaidElsewhere = elsewhere.some((each) => each.paid === true);
  const isNamedElsewhere = elsewhere.some(
    (each) => typeof each.displayName === 'string' && (displayName === null || isBefore(each, here)),
  );
  return {
    displayName: isNamedElsewhere ? undefined : displayName,
    paid: paid === false && isPaidElsewhere ? undefined : paid,
  };
}

function isBefore(one: CollectionId, other: CollectionId): boolean {
  return one.sourceId === other.sourceId ? one.collection < other.collection : one.sourceId < other.sourceId;
}

export {
  countPeople,
  findStoredPeople,
  type PersonElsewhere,
  selectListedEmails as findListedEmails,
  selectPeopleElsewhere as findPeopleElsewhere,
  selectUsedValues as findUsedValues,
} from './source-people-store.ts';
