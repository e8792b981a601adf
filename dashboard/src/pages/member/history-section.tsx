import type { Event } from '@gatehouse/client';
import { Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useTexts } from '../../languages/texts.tsx';
import { ErrorNote } from '../../parts/error-note.tsx';
import { EventList } from '../../parts/events/event-list.tsx';
import { refetchedWhileShort } from '../../parts/long-lists.ts';
import { More } from '../../parts/more.tsx';
import { Section } from '../../parts/section.tsx';
import { RowsSkeleton } from '../../parts/skeletons.tsx';
import { useGatehouse, useSite } from '../../session/site.ts';

const pageSize = 20;

/** What has happened to the member, newest first. */
export function HistorySection({ memberId }: { memberId: string }) {
  const t = useTexts('member');
  const site = useSite();
  const gatehouse = useGatehouse();
  const events = useInfiniteQuery({
    ...refetchedWhileShort,
    queryKey: [site.id, 'events', 'of', memberId],
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
      {error && <ErrorNote error={error} retry={() => (data ? events.fetchNextPage() : events.refetch())} />}
      {events.hasNextPage && !error && (
        <More loading={events.isFetchingNextPage} load={events.fetchNextPage} />
      )}
    </Section>
  );
}
