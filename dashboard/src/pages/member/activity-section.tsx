import type { Event } from '@gatehouse/client';
import { Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { EventList } from '../../components/events/event-list.tsx';
import { ErrorNote } from '../../components/feedback/error-note.tsx';
import { LoadMore } from '../../components/layout/load-more.tsx';
import { Section } from '../../components/layout/section.tsx';
import { RowsSkeleton } from '../../components/layout/skeletons.tsx';
import { useTexts } from '../../languages/texts.tsx';
import { refetchedWhileShort, retryLoading } from '../../queries/long-lists.ts';
import { useSiteApi } from '../../queries/site-api.ts';

const pageSize = 20;

/** The events of the member, newest first. */
export function ActivitySection({ memberId }: { memberId: string }) {
  const t = useTexts('member');
  const { gatehouse, keys } = useSiteApi();
  const events = useInfiniteQuery({
    ...refetchedWhileShort,
    queryKey: keys.events.ofMember(memberId),
    queryFn: ({ pageParam, signal }) =>
      gatehouse.events
        .list({ memberId, order: 'desc', after: pageParam, limit: pageSize }, { signal })
        .page(),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ pagination }) => pagination.nextCursor ?? undefined,
    select: ({ pages }): Event[] => pages.flatMap(({ data }) => data),
  });
  const { data, error } = events;
  return (
    <Section title={t('history')}>
      {data && <EventList events={data} label={t('history')} />}
      {data?.length === 0 && <Text c="dimmed">{t('noHistory')}</Text>}
      {!data && !error && <RowsSkeleton rows={3} />}
      {error && <ErrorNote error={error} retry={() => retryLoading(events)} />}
      {events.hasNextPage && !error && (
        <LoadMore loading={events.isFetchingNextPage} load={events.fetchNextPage} />
      )}
    </Section>
  );
}
