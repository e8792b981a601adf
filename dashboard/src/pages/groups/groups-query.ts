import type { AccessGroup } from '@gatehouse/client';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { itemsOf, pageByPage } from '../../queries/long-lists.ts';
import { useSiteApi } from '../../queries/site-api.ts';

const pageSize = 50;

/** The groups whose name matches the search, newest first, page by page. */
export function useGroups(query: string) {
  const { gatehouse, keys } = useSiteApi();
  return useInfiniteQuery({
    ...pageByPage,
    queryKey: keys.groups.list(query),
    queryFn: ({ pageParam, signal }) =>
      gatehouse.accessGroups
        .list({ q: query || undefined, after: pageParam, limit: pageSize }, { signal })
        .page(),
    select: itemsOf<AccessGroup>,
    placeholderData: keepPreviousData,
  });
}
