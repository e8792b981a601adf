import type { ListMembers } from '@gatehouse/client';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { asciiQuery } from '../../format/addresses/email-address.ts';
import { useSiteApi } from '../../queries/site-api.ts';
import { fullPage } from '../../session/full-page.ts';
import { type MembersSearch, toMemberFilter } from './members-search.ts';

/**
 * The filter for the API. A word with non-ASCII characters can be part of a name or of a domain, which the server
 * stores in ASCII. The ASCII form is used if no name matches.
 */
export function useMemberFilter(search: MembersSearch): ListMembers {
  const { gatehouse, keys } = useSiteApi();
  const filter = useMemo(() => toMemberFilter(search), [search]);
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
