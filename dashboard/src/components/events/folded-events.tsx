import type { Event, EventFilter } from '@gatehouse/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { createContext, use } from 'react';
import { passFocusOn } from '../../hooks/focus.ts';
import { useTexts } from '../../languages/texts.tsx';
import { itemsOf, pageByPage, retryLoading } from '../../queries/long-lists.ts';
import { useSiteApi } from '../../queries/site-api.ts';
import { ErrorNote } from '../feedback/error-note.tsx';
import { ActionButton } from '../layout/action-button.tsx';
import { RowsSkeleton } from '../layout/skeletons.tsx';
import type { FoldedEvents as Entry } from './event-entries.ts';
import { EventRow } from './event-row.tsx';
import classes from './events.module.css';

const pageSize = 20;

/** The filter of the list that contains the entries. */
export const EventFilterContext = createContext<EventFilter>({});

/** The events of a bulk action, fetched on demand. */
export function FoldedEvents({ entry }: { entry: Entry }) {
  const t = useTexts('events');
  const common = useTexts('common');
  const { gatehouse, keys } = useSiteApi();
  const filter = { ...use(EventFilterContext), ...filterOf(entry) };
  const events = useInfiniteQuery({
    ...pageByPage,
    queryKey: keys.events.folded(filter),
    queryFn: ({ pageParam, signal }) =>
      gatehouse.events.list({ ...filter, after: pageParam, limit: pageSize }, { signal }).page(),
    select: itemsOf<Event>,
    // Events never change.
    staleTime: Number.POSITIVE_INFINITY,
  });
  const { data, error, fetchNextPage, hasNextPage, isFetchingNextPage } = events;
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
      {error && <ErrorNote error={error} retry={() => retryLoading(events)} />}
      {hasNextPage && !error && (
        <ActionButton
          label={common('more')}
          size="xs"
          loading={isFetchingNextPage}
          onClick={() => fetchNextPage()}
          ref={passFocusOn}
        />
      )}
    </div>
  );
}

function filterOf({ event, folded: { since, until } }: Entry): EventFilter {
  const { requestId, actor } = event;
  // The last moment is included.
  const time = { since, until: new Date(Date.parse(until) + 1).toISOString() };
  if (requestId !== null) return { ...time, requestId, order: 'asc' };
  return { ...time, actorType: actor.type, ...(actor.id !== null && { actorId: actor.id }), order: 'asc' };
}
