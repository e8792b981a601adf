import type { ListMembers, MemberSortField, MemberStatus } from '@gatehouse/client';
import { toQuery } from '../../parts/search-query.ts';

/** What the address says about the view of the page. */
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

/** Reads the address. What cannot be read is left out. */
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

/** What to ask the service for. */
export function toMemberFilter({ q, status, paid, verified, sort, order }: MembersSearch): ListMembers {
  return { q, status, paid, verified, sort, order };
}

/** Whether anything keeps some members out of the list. */
export function isFiltered({ q, status, paid, verified }: MembersSearch): boolean {
  return [q, status, paid, verified].some((value) => value !== undefined);
}

/** A number in the address is a text that looks like one. */
function isText(value: unknown): value is string | number {
  return (typeof value === 'string' || typeof value === 'number') && String(value).trim() !== '';
}
