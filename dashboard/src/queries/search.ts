import type { Gatehouse } from '@gatehouse/client';
import { maxQueryLength } from '@gatehouse/contract/limits';
import { useDebouncedValue } from '@mantine/hooks';
import { type QueryKey, useQuery } from '@tanstack/react-query';
import { siteKeys } from './keys.ts';

const typingMilliseconds = 150;
const maxGroups = 5;

/** The first matching access groups. While they are loading, the previous results. */
export function useGroupSearch(
  siteId: string | undefined,
  gatehouse: Gatehouse | undefined,
  typed: string,
  enabled = true,
) {
  const list = (q: string | undefined, signal: AbortSignal) =>
    gatehouse!.accessGroups.list({ q, limit: maxGroups }, { signal }).page();
  const { found, isFormer } = useSearch(
    siteKeys(siteId).groups.search,
    list,
    typed,
    enabled && gatehouse !== undefined,
  );
  return { groups: found, isFormer };
}

/** What a list finds for a text, when no more is typed for a moment. While it is loading, the previous results. */
export function useSearch<Item>(
  keyOf: (query: string | undefined) => QueryKey,
  list: (query: string | undefined, signal: AbortSignal) => Promise<{ data: readonly Item[] }>,
  typed: string,
  enabled: boolean,
) {
  const [settled] = useDebouncedValue(typed, typingMilliseconds);
  const query = toQuery(settled);
  const queryKey = keyOf(query);
  const { data, isPlaceholderData } = useQuery({
    queryKey,
    queryFn: ({ signal }) => list(query, signal),
    enabled,
    // Those of another site would have the same names.
    placeholderData: (former, query) => (query?.queryKey[0] === queryKey[0] ? former : undefined),
  });
  return { found: data?.data ?? [], isFormer: isPlaceholderData || query !== toQuery(typed) };
}

/** A search text in the form that the API accepts; undefined if it is empty. */
export function toQuery(typed: string): string | undefined {
  const query = [...typed.replace(/\p{Cc}+/gu, ' ').trim()].slice(0, maxQueryLength).join('');
  return query === '' ? undefined : query;
}
