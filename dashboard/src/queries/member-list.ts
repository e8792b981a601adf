import type { Gatehouse, ListMembers, Member } from '@gatehouse/client';
import { queryOptions } from '@tanstack/react-query';
import { useRouterState } from '@tanstack/react-router';
import { createContext } from 'react';
import { fullPage } from '../session/full-page.ts';
import { useSiteApi } from './site-api.ts';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The list of members from which the page of a member was opened. */
    memberList?: MemberList | undefined;
  }
}

/** A list of members: what it shows in which order, and where. */
export interface MemberList {
  readonly filter: ListMembers;
  /** The group whose page has the list. Without it, the list is on the page of all members. */
  readonly groupId?: string | undefined;
  /** The search parameters of that page. */
  readonly search: object;
}

/** The members before and after a member in a list. */
export interface Neighbors {
  readonly previous: string | undefined;
  readonly next: string | undefined;
}

/** The list in which links to members are. They pass it on to the page of the member. */
export const MemberListContext = createContext<MemberList | undefined>(undefined);

/** The list from which the page of a member was opened; undefined on a fresh visit. */
export function useMemberList(): MemberList | undefined {
  return useRouterState({ select: ({ location }) => location.state.memberList });
}

/** The query for the neighbors of a member. While the member is shown, they stay, also if a change moves the member. */
export function useNeighborsQuery(list: MemberList | undefined, member: Member) {
  const { gatehouse, keys } = useSiteApi();
  return queryOptions({
    queryKey: keys.members.neighbors(list?.filter, member.id),
    queryFn: ({ signal }) => findNeighbors(gatehouse, list!.filter, member, signal),
    enabled: list !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}

/** Finds the neighbors of a member, which may be on pages of the list that were never loaded. */
export async function findNeighbors(
  gatehouse: Pick<Gatehouse, 'members'>,
  filter: ListMembers,
  member: Member,
  signal: AbortSignal,
): Promise<Neighbors> {
  const first = async (query: ListMembers): Promise<Member | undefined> => {
    const { data } = await fullPage(gatehouse.members.list({ ...filter, ...query, limit: 1 }, { signal }), 1);
    return data[0];
  };
  const backward = filter.order === 'asc' ? 'desc' : 'asc';
  const hasValue = (each: Member | undefined) => each?.[filter.sort ?? 'createdAt'] !== null;
  const [next, previous] = await Promise.all([
    first({ after: member.id }),
    first({ after: member.id, order: backward }),
  ]);
  if (hasValue(previous) === hasValue(member)) return { previous: previous?.id, next: next?.id };
  // Members without a value are last in both directions: they do not come before one that has a value, and the first of
  // them follows the last one that has a value, which begins the list in the other direction.
  const last = hasValue(member) ? undefined : await first({ order: backward });
  return { previous: hasValue(last) ? last?.id : undefined, next: next?.id };
}
