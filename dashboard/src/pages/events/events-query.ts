import type { EventFilter, EventGroup, Gatehouse } from '@gatehouse/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type EventEntry, toEntries } from '../../components/events/event-entries.ts';
import { itemsOf, pageByPage } from '../../queries/long-lists.ts';
import { useSiteApi } from '../../queries/site-api.ts';

const pageSize = 50;

/** The matching events, newest first, page by page, with a bulk action as one entry. */
export function useEvents(filter: EventFilter) {
  const { gatehouse, keys } = useSiteApi();
  return useInfiniteQuery({
    ...pageByPage,
    queryKey: keys.events.list(filter),
    queryFn: ({ pageParam, signal }) => eventPage(gatehouse, filter, { after: pageParam, signal }),
    select: (list): EventEntry[] => toEntries(itemsOf<EventGroup>(list)),
  });
}

/** A page of the matching events; the first one without `after`. */
export function eventPage(
  gatehouse: Gatehouse,
  { order, ...filter }: EventFilter,
  { after, signal }: { after?: string | undefined; signal: AbortSignal },
) {
  return gatehouse.eventGroups.list({ ...filter, after, limit: pageSize }, { signal }).page();
}
