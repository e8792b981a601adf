import type { Event } from '@gatehouse/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { EventList } from '../../components/events/event-list.tsx';
import { QueryState } from '../../components/feedback/query-state.tsx';
import { Hint } from '../../components/layout/hint.tsx';
import { Section } from '../../components/layout/section.tsx';
import { useTexts } from '../../languages/texts.tsx';
import { itemsOf, pageByPage } from '../../queries/long-lists.ts';
import { useSiteApi } from '../../queries/site-api.ts';

const pageSize = 20;

/** The events of the member, newest first. */
export function EventsSection({ memberId }: { memberId: string }) {
  const t = useTexts('member');
  const { gatehouse, keys } = useSiteApi();
  const events = useInfiniteQuery({
    ...pageByPage,
    queryKey: keys.events.ofMember(memberId),
    queryFn: ({ pageParam, signal }) =>
      gatehouse.events
        .list({ memberId, order: 'desc', after: pageParam, limit: pageSize }, { signal })
        .page(),
    select: itemsOf<Event>,
  });
  const { data } = events;
  return (
    <Section title={t('history')}>
      {data && <EventList events={data} label={t('history')} />}
      {data?.length === 0 && <Hint>{t('noHistory')}</Hint>}
      <QueryState query={events} rows={3} />
    </Section>
  );
}
