import type { ListMembers, MemberSortField, MemberStatus } from '@gatehouse/client';
import { toQuery } from '../../queries/search-query.ts';

/** The search parameters of the page. */
export interface MembersSearch {
  q?: string | undefined;
  status?: MemberStatus | undefined;
  paid?: boolean | undefined;
  verified?: boolean | undefined;
  sort?: MemberSortField | undefined;
  order?: 'asc' | 'desc' | undefined;
}

export const sortFields: readonly MemberSortField[] = [
  'createdAt',
  'displayName',
  'email',
  'lastLoginAt',
  'registeredAt',
  'updatedAt',
];

/** Parses the search parameters. Invalid ones are left out. */
export function readMembersSearch(search: Record<string, unknown>): MembersSearch {
  const { q, status, paid, verified, sort, order } = search;
  return {
    ...(isText(q) && { q: toQuery(String(q)) }),
    ...((status === 'active' || status === 'blocked') && { status }),
    ...(typeof paid === 'boolean' && { paid }),
    ...(typeof verified === 'boolean' && { verified }),
    ...(sortFields.includes(sort as MemberSortField) && { sort: sort as MemberSortField }),
    ...((order === 'asc' || order === 'desc') && { order }),
  };
}

/** The query for the API. */
export function toMemberFilter({ q, status, paid, verified, sort, order }: MembersSearch): ListMembers {
  return { q, status, paid, verified, sort, order };
}

/** Whether a filter excludes some members. */
export function isFiltered({ q, status, paid, verified }: MembersSearch): boolean {
  return [q, status, paid, verified].some((value) => value !== undefined);
}

/** The router parses a text that looks like a number as a number. */
function isText(value: unknown): value is string | number {
  return (typeof value === 'string' || typeof value === 'number') && String(value).trim() !== '';
}
