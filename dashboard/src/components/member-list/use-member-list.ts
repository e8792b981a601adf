import type { ListMembers } from '@gatehouse/client';
import { useCallback, useRef } from 'react';
import { excludesSome, useMemberFilter } from './member-filter.ts';
import type { MembersSearch } from './members-search.ts';
import { type Selection, useSelection } from './selection.ts';
import { type MemberRows, useMemberRows } from './table/member-rows.ts';

/** A list of members, and which of them are selected. */
export interface MemberListState {
  search: MembersSearch;
  change: (changes: Partial<MembersSearch>) => void;
  /** The search as the filter of the API. */
  filter: ListMembers;
  rows: MemberRows;
  selection: Selection;
  /** Selects or deselects a member, with `withRange` also those from the last one that was. */
  toggle: (memberId: string, withRange: boolean) => void;
  selectAll: () => void;
  clear: () => void;
}

/** The members that match a search, those of one group if it is given. */
export function useMemberList(
  search: MembersSearch,
  change: (changes: Partial<MembersSearch>) => void,
  groupId?: string,
): MemberListState {
  const filter = useMemberFilter(search, groupId);
  const rows = useMemberRows(filter);
  const { toggle, ...selection } = useSelection(JSON.stringify(filter));
  const last = useRef<string>(undefined);
  const { range } = rows;
  const toggleOne = useCallback(
    (memberId: string, withRange: boolean) => {
      toggle(withRange ? range(last.current, memberId) : [memberId]);
      last.current = memberId;
    },
    [toggle, range],
  );
  return { search, change, filter, rows, ...selection, toggle: toggleOne };
}

/** Whether the search excludes some members of the site, or of the group. */
export function isNarrowed({ filter }: MemberListState, groupId?: string): boolean {
  return excludesSome(groupId === undefined ? filter : { ...filter, groupId: undefined });
}
