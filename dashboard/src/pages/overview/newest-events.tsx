import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTexts } from '../../languages/texts.tsx';
import { ErrorNote } from '../../parts/error-note.tsx';
import { EventList } from '../../parts/events/event-list.tsx';
import { Section } from '../../parts/section.tsx';
import { RowsSkeleton } from '../../parts/skeletons.tsx';
import { useGatehouse, useSite } from '../../session/site.ts';

const shownEvents = 8;
const refetchMilliseconds = 30_000;

/** What has happened last. */
export function NewestEvents() {
  const t = useTexts('overview');
  const site = useSite();
  const gatehouse = useGatehouse();
  const { data, error, refetch } = useQuery({
    queryKey: [site.id, 'events', 'newest'],
    queryFn: ({ signal }) => gatehouse.events.list({ order: 'desc', limit: shownEvents }, { signal }).page(),
    refetchInterval: refetchMilliseconds,
  });
  return (
    <Section
      title={t('newest')}
      action={
        <Anchor renderRoot={(props) => <Link to="/$site/events" params={{ site: site.slug }} {...props} />}>
          {t('allEvents')}
        </Anchor>
      }
    >
      {data && <EventList events={data.data} label={t('newest')} />}
      {!data && !error && <RowsSkeleton rows={shownEvents} />}
      {error && !data && <ErrorNote error={error} retry={refetch} />}
    </Section>
  );
}
