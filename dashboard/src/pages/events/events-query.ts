import type { EventGroup, Gatehouse } from '@gatehouse/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type EventEntry, toEntries } from '../../components/events/event-entries.ts';
import { useSiteKeys } from '../../queries/keys.ts';
import { refetchedWhileShort } from '../../queries/long-lists.ts';
import { useGatehouse } from '../../session/site.ts';
import { type EventsSearch, toEventFilter } from './events-search.ts';

const pageSize = 50;

/** The matching events, newest first, page by page, with a bulk action as one entry. */
export function useEvents(search: EventsSearch) {
  const keys = useSiteKeys();
  const gatehouse = useGatehouse();
  return useInfiniteQuery({
    ...refetchedWhileShort,
    queryKey: keys.events.list(search),
    queryFn: ({ pageParam, signal }) => eventPage(gatehouse, search, { after: pageParam, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ pagination }) => pagination.nextCursor ?? undefined,
    select: entriesOf,
  });
}

/** A page of the matching events; the first one without `after`. */
export function eventPage(
  gatehouse: Gatehouse,
  search: EventsSearch,
  { after, signal }: { after?: string | undefined; signal: AbortSignal },
) {
  const { order, ...filter } = toEventFilter(search);
  return gatehouse.events.listGroups({ ...filter, after, limit: pageSize }, { signal }).page();
}

function entriesOf({ pages }: { pages: { data: EventGroup[] }[] }): EventEntry[] {
  return toEntries(pages.flatMap(({ data }) => data));
}
