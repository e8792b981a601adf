import type { Gatehouse } from '@gatehouse/client';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { toQuery } from './search-query.ts';

const typingMilliseconds = 150;
const maxMembers = 8;
const maxGroups = 5;

/** The first members that match what is typed, the newest ones without a query; while they are on their way, those before. */
export function useMemberSearch(
  siteId: string | undefined,
  gatehouse: Gatehouse | undefined,
  typed: string,
  enabled = true,
) {
  const list = (q: string | undefined, signal: AbortSignal) =>
    gatehouse!.members.list({ q, limit: maxMembers }, { signal }).page();
  const { found, isFormer } = useSearch(
    [siteId, 'members', 'search'],
    list,
    typed,
    enabled && gatehouse !== undefined,
  );
  return { members: found, isFormer };
}

/** The first access groups that match what is typed; while they are on their way, those before. */
export function useGroupSearch(
  siteId: string | undefined,
  gatehouse: Gatehouse | undefined,
  typed: string,
  enabled = true,
) {
  const list = (q: string | undefined, signal: AbortSignal) =>
    gatehouse!.accessGroups.list({ q, limit: maxGroups }, { signal }).page();
  const { found, isFormer } = useSearch(
    [siteId, 'groups', 'search'],
    list,
    typed,
    enabled && gatehouse !== undefined,
  );
  return { groups: found, isFormer };
}

function useSearch<Item>(
  queryKey: readonly unknown[],
  list: (query: string | undefined, signal: AbortSignal) => Promise<{ data: Item[] }>,
  typed: string,
  enabled: boolean,
) {
  const [settled] = useDebouncedValue(typed, typingMilliseconds);
  const query = toQuery(settled);
  const { data, isPlaceholderData } = useQuery({
    queryKey: [...queryKey, query],
    queryFn: ({ signal }) => list(query, signal),
    enabled,
    placeholderData: keepPreviousData,
  });
  return { found: data?.data ?? [], isFormer: isPlaceholderData || query !== toQuery(typed) };
}
