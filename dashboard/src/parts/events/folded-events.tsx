import type { Event, EventFilter } from '@gatehouse/client';
import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { createContext, use } from 'react';
import { useTexts } from '../../languages/texts.tsx';
import { useGatehouse, useSite } from '../../session/site.ts';
import { ErrorNote } from '../error-note.tsx';
import { RowsSkeleton } from '../skeletons.tsx';
import type { FoldedEvents as Entry } from './event-entries.ts';
import { EventRow } from './event-row.tsx';
import classes from './events.module.css';

const pageSize = 20;

/** By what the list is filtered in which the entries stand. */
export const EventFilterContext = createContext<EventFilter>({});

/** The events of an action on many, fetched when they are wanted. */
export function FoldedEvents({ entry }: { entry: Entry }) {
  const t = useTexts('events');
  const parts = useTexts('parts');
  const site = useSite();
  const gatehouse = useGatehouse();
  const filter = { ...use(EventFilterContext), ...filterOf(entry) };
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: [site.id, 'events', 'folded', filter],
    queryFn: ({ pageParam, signal }) =>
      gatehouse.events.list({ ...filter, after: pageParam, limit: pageSize }, { signal }).page(),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ pagination }) => pagination.nextCursor ?? undefined,
    select: ({ pages }): Event[] => pages.flatMap((page) => page.data),
    // What has happened stays as it is.
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <div className={classes.folded}>
      {data && (
        <ul className={classes.list} aria-label={t('eventsOf', { count: entry.folded.total })}>
          {data.map((event) => (
            <EventRow key={event.id} event={event} />
          ))}
        </ul>
      )}
      {!data && !error && <RowsSkeleton rows={3} />}
      {error && <ErrorNote error={error} retry={() => (data ? fetchNextPage() : refetch())} />}
      {hasNextPage && !error && (
        <Button variant="default" size="xs" loading={isFetchingNextPage} onClick={() => fetchNextPage()}>
          {parts('more')}
        </Button>
      )}
    </div>
  );
}

function filterOf({ event, folded: { since, until } }: Entry): EventFilter {
  const { requestId, actor } = event;
  // The last moment belongs to it.
  const time = { since, until: new Date(Date.parse(until) + 1).toISOString() };
  if (requestId !== null) return { ...time, requestId, order: 'asc' };
  return { ...time, actorType: actor.type, ...(actor.id !== null && { actorId: actor.id }), order: 'asc' };
}
