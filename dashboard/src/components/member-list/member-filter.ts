import type { ListMembers } from '@gatehouse/client';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { asciiQuery } from '../../format/addresses/email-address.ts';
import { afterThisMonth, endInDays } from '../../format/days.ts';
import { useSiteApi } from '../../queries/site-api.ts';
import { fullPage } from '../../session/full-page.ts';
import { useSite } from '../../session/site.ts';
import type { EndsWithin, MembersSearch } from './members-search.ts';

/**
 * The filter for the API. A word with non-ASCII characters can be part of a name or of a domain, which the server
 * stores in ASCII. The ASCII form is used if no name matches.
 */
export function useMemberFilter(search: MembersSearch, groupId?: string): ListMembers {
  const { gatehouse, keys } = useSiteApi();
  const { timeZone } = useSite();
  const filter = useMemo(
    () => toMemberFilter({ ...search, group: groupId ?? search.group }, timeZone, new Date()),
    [search, groupId, timeZone],
  );
  const ascii = asciiQuery(filter.q ?? '');
  const { data: isNobody } = useQuery({
    queryKey: keys.members.isEmpty(filter),
    enabled: ascii !== undefined,
    queryFn: async ({ signal }) => {
      const { data } = await fullPage(gatehouse.members.list({ ...filter, limit: 1 }, { signal }), 1);
      return data.length === 0;
    },
  });
  return useMemo(() => (isNobody ? { ...filter, q: ascii } : filter), [filter, ascii, isNobody]);
}

/** The query for the API. The days until an end are those of the time zone of the site. */
function toMemberFilter(search: MembersSearch, timeZone: string, now: Date): ListMembers {
  const { q, status, paid, verified, group, ends, createdByRequest, sort, order } = search;
  return {
    q,
    status,
    paid,
    verified,
    groupId: group,
    expiresBefore: ends && endOf(ends, timeZone, now),
    createdByRequest,
    sort,
    order,
  };
}

function endOf(within: EndsWithin, timeZone: string, now: Date): string {
  return within === 'month' ? afterThisMonth(timeZone, now) : endInDays(within, timeZone, now);
}

/** Whether a filter excludes some members. */
export function excludesSome({ sort: _sort, order: _order, ...filter }: ListMembers): boolean {
  return Object.values(filter).some((value) => value !== undefined);
}
