import type { Gatehouse } from '@gatehouse/client';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { toQuery } from './search-query.ts';

const typingMilliseconds = 150;
const mostMembers = 8;

/** The first members that match what is typed, the newest ones without a query; while they are on their way, those before. */
export function useMemberSearch(
  siteId: string | undefined,
  gatehouse: Gatehouse | undefined,
  typed: string,
  enabled = true,
) {
  const [settled] = useDebouncedValue(typed, typingMilliseconds);
  const query = toQuery(settled);
  const { data, isPlaceholderData } = useQuery({
    queryKey: [siteId, 'members', 'search', query],
    queryFn: ({ signal }) => gatehouse!.members.list({ q: query, limit: mostMembers }, { signal }).page(),
    enabled: enabled && gatehouse !== undefined,
    placeholderData: keepPreviousData,
  });
  return { members: data?.data ?? [], isFormer: isPlaceholderData || query !== toQuery(typed) };
}
