import type { ListMembers, MemberSortField, MemberStatus } from '@gatehouse/client';
import { memberSortFields } from '@gatehouse/contract/member-fields';
import { toQuery } from '../../queries/search.ts';

/** The search parameters of the page. */
export interface MembersSearch {
  q?: string | undefined;
  status?: MemberStatus | undefined;
  paid?: boolean | undefined;
  verified?: boolean | undefined;
  /** The request id of an import: the members that it created. */
  createdByRequest?: string | undefined;
  sort?: MemberSortField | undefined;
  order?: 'asc' | 'desc' | undefined;
}

/** The fields to sort by, in the order of their names. */
export const sortFields = memberSortFields.toSorted();

/** Parses the search parameters. Invalid ones are left out. */
export function readMembersSearch(search: Record<string, unknown>): MembersSearch {
  const { q, status, paid, verified, createdByRequest, sort, order } = search;
  return {
    ...(isText(q) && { q: toQuery(String(q)) }),
    ...((status === 'active' || status === 'blocked') && { status }),
    ...(typeof paid === 'boolean' && { paid }),
    ...(typeof verified === 'boolean' && { verified }),
    ...(isId(createdByRequest) && { createdByRequest: createdByRequest.toLowerCase() }),
    ...(sortFields.includes(sort as MemberSortField) && { sort: sort as MemberSortField }),
    ...((order === 'asc' || order === 'desc') && { order }),
  };
}

/** The query for the API. */
export function toMemberFilter(search: MembersSearch): ListMembers {
  const { q, status, paid, verified, createdByRequest, sort, order } = search;
  return { q, status, paid, verified, createdByRequest, sort, order };
}

/** Whether a filter excludes some members. */
export function isFiltered({ q, status, paid, verified, createdByRequest }: MembersSearch): boolean {
  return [q, status, paid, verified, createdByRequest].some((value) => value !== undefined);
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value);
}

/** The router parses a text that looks like a number as a number. */
function isText(value: unknown): value is string | number {
  return (typeof value === 'string' || typeof value === 'number') && String(value).trim() !== '';
}
