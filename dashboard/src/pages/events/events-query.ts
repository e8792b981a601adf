import type { Event } from '@gatehouse/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { refetchedWhileShort } from '../../parts/long-lists.ts';
import { useGatehouse, useSite } from '../../session/site.ts';
import { type EventsSearch, toEventFilter } from './events-search.ts';

const pageSize = 50;

/** The events that match, newest first, page after page. */
export function useEvents(search: EventsSearch) {
  const site = useSite();
  const gatehouse = useGatehouse();
  return useInfiniteQuery({
    ...refetchedWhileShort,
    queryKey: [site.id, 'events', 'list', search],
    queryFn: ({ pageParam, signal }) =>
      gatehouse.events
        .list({ ...toEventFilter(search), after: pageParam, limit: pageSize }, { signal })
        .page(),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ pagination }) => pagination.nextCursor ?? undefined,
    select: ({ pages }): Event[] => pages.flatMap(({ data }) => data),
  });
}
