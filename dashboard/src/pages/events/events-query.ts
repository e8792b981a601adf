import type { EventGroup } from '@gatehouse/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type EventEntry, toEntries } from '../../parts/events/event-entries.ts';
import { refetchedWhileShort } from '../../parts/long-lists.ts';
import { useGatehouse, useSite } from '../../session/site.ts';
import { type EventsSearch, toEventFilter } from './events-search.ts';

const pageSize = 50;

/** The events that match, newest first, page after page, with an action on many as one. */
export function useEvents(search: EventsSearch) {
  const site = useSite();
  const gatehouse = useGatehouse();
  const { order, ...filter } = toEventFilter(search);
  return useInfiniteQuery({
    ...refetchedWhileShort,
    queryKey: [site.id, 'events', 'list', search],
    queryFn: ({ pageParam, signal }) =>
      gatehouse.events.listGroups({ ...filter, after: pageParam, limit: pageSize }, { signal }).page(),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ pagination }) => pagination.nextCursor ?? undefined,
    select: entriesOf,
  });
}

function entriesOf({ pages }: { pages: { data: EventGroup[] }[] }): EventEntry[] {
  return toEntries(pages.flatMap(({ data }) => data));
}
