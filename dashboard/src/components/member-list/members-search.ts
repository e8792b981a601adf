import type { MemberSortField, MemberStatus } from '@gatehouse/client';
import { endsSoonDays } from '@gatehouse/contract/limits';
import { memberSortFields } from '@gatehouse/contract/member-fields';
import { toQuery } from '../../queries/search.ts';

/** The search parameters of a list of members. */
export interface MembersSearch {
  q?: string | undefined;
  status?: MemberStatus | undefined;
  paid?: boolean | undefined;
  verified?: boolean | undefined;
  /** The id of a group: its members. */
  group?: string | undefined;
  /**
   * A number of days, or the rest of the current month: the members with a membership, of that group if there is one, that ends
   * within them.
   */
  ends?: EndsWithin | undefined;
  /** The request id of an import: the members that it created. */
  createdByRequest?: string | undefined;
  sort?: MemberSortField | undefined;
  order?: 'asc' | 'desc' | undefined;
}

export const endsWithin = ['month', 7, endsSoonDays, 30, 90] as const;
export type EndsWithin = (typeof endsWithin)[number];

/** The fields to sort by, in the order of their names. */
export const sortFields = memberSortFields.toSorted();

/** The search without any filter. */
export const unfiltered = {
  q: undefined,
  status: undefined,
  paid: undefined,
  verified: undefined,
  group: undefined,
  ends: undefined,
  createdByRequest: undefined,
} as const satisfies MembersSearch;

/** Parses the search parameters. Invalid ones are left out. */
export function readMembersSearch(search: Record<string, unknown>): MembersSearch {
  const { q, status, paid, verified, group, ends, createdByRequest, sort, order } = search;
  return {
    ...(isText(q) && { q: toQuery(String(q)) }),
    ...((status === 'active' || status === 'blocked') && { status }),
    ...(typeof paid === 'boolean' && { paid }),
    ...(typeof verified === 'boolean' && { verified }),
    ...(isId(group) && { group: group.toLowerCase() }),
    ...(endsWithin.includes(ends as EndsWithin) && { ends: ends as EndsWithin }),
    ...(isId(createdByRequest) && { createdByRequest: createdByRequest.toLowerCase() }),
    ...(sortFields.includes(sort as MemberSortField) && { sort: sort as MemberSortField }),
    ...((order === 'asc' || order === 'desc') && { order }),
  };
}

/** Whether a filter excludes some members. */
export function isFiltered(search: MembersSearch): boolean {
  return Object.keys(unfiltered).some((name) => search[name as keyof MembersSearch] !== undefined);
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value);
}

/** The router parses a text that looks like a number as a number. */
function isText(value: unknown): value is string | number {
  return (typeof value === 'string' || typeof value === 'number') && String(value).trim() !== '';
}
