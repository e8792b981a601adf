import type { AccessGroup } from '@gatehouse/client';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { refetchedWhileShort } from '../../parts/long-lists.ts';
import { useGatehouse, useSite } from '../../session/site.ts';

const pageSize = 50;

/** The groups whose name holds what was typed, newest first, page after page. */
export function useGroups(query: string) {
  const site = useSite();
  const gatehouse = useGatehouse();
  return useInfiniteQuery({
    ...refetchedWhileShort,
    queryKey: [site.id, 'groups', 'list', query],
    queryFn: ({ pageParam, signal }) =>
      gatehouse.accessGroups
        .list({ q: query || undefined, after: pageParam, limit: pageSize }, { signal })
        .page(),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ pagination }) => pagination.nextCursor ?? undefined,
    select: ({ pages }): AccessGroup[] => pages.flatMap(({ data }) => data),
    placeholderData: keepPreviousData,
  });
}
