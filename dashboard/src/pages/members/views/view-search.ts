import { defaultParseSearch, defaultStringifySearch } from '@tanstack/react-router';
import { type MembersSearch, readMembersSearch } from '../../../components/member-list/members-search.ts';

/** The search of the members page as a saved view has it: the query of its URL, with the parameters always in one order. */
export function toViewSearch(search: MembersSearch): string {
  return defaultStringifySearch(readMembersSearch({ ...search })).slice(1);
}

/** The search of a saved view. What a later version has added to it is left out. */
export function readViewSearch(search: string): MembersSearch {
  return readMembersSearch(defaultParseSearch(`?${search}`));
}
