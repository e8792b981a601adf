import type { ListMembers } from '@gatehouse/client';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { asciiQuery } from '../../parts/address.ts';
import { useGatehouse, useSite } from '../../session/site.ts';
import { type MembersSearch, toMemberFilter } from './members-search.ts';

/**
 * What to ask the service for. A word beyond ASCII can be of a name or of a domain, which the service keeps in ASCII:
 * it is asked for as the latter where nobody has it in the name.
 */
export function useMemberFilter(search: MembersSearch): ListMembers {
  const site = useSite();
  const gatehouse = useGatehouse();
  const filter = useMemo(() => toMemberFilter(search), [search]);
  const ascii = asciiQuery(filter.q ?? '');
  const { data: isNobody } = useQuery({
    queryKey: [site.id, 'members', 'nobody', filter],
    enabled: ascii !== undefined,
    queryFn: async ({ signal }) => {
      const { data } = await gatehouse.members.list({ ...filter, limit: 1 }, { signal }).page();
      return data.length === 0;
    },
  });
  return useMemo(() => (isNobody ? { ...filter, q: ascii } : filter), [filter, ascii, isNobody]);
}
