// Everybody in the collections of a source, as of their last synchronization.

export {
  countPeople,
  findStoredPeople,
  type PersonElsewhere,
  selectListedEmails as findListedEmails,
  selectPeopleElsewhere as findPeopleElsewhere,
  selectUsedValues as findUsedValues,
} from './source-people-store.ts';
