import type { EventGroup, Gatehouse } from '@gatehouse/client';
import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTexts } from '../../languages/texts.tsx';
import { ErrorNote } from '../../parts/error-note.tsx';
import { type EventEntry, toEntries } from '../../parts/events/event-entries.ts';
import { EntryList } from '../../parts/events/event-list.tsx';
import { Section } from '../../parts/section.tsx';
import { RowsSkeleton } from '../../parts/skeletons.tsx';
import { useGatehouse, useSite } from '../../session/site.ts';

const shownEvents = 8;
const pageSize = 20;
/** An action on more members than so many pages hold is shown with those that were found. */
const maxPages = 10;
const refetchMilliseconds = 30_000;

/** What has happened last. */
export function NewestEvents() {
  const t = useTexts('overview');
  const site = useSite();
  const gatehouse = useGatehouse();
  const { data, error, refetch } = useQuery({
    queryKey: [site.id, 'events', 'newest'],
    queryFn: ({ signal }) => fetchNewest(gatehouse, signal),
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
      {data && <EntryList entries={data} label={t('newest')} />}
      {!data && !error && <RowsSkeleton rows={shownEvents} />}
      {error && !data && <ErrorNote error={error} retry={refetch} />}
    </Section>
  );
}

/** Reads on until there are enough entries, and the last of them is whole. */
async function fetchNewest(gatehouse: Gatehouse, signal: AbortSignal): Promise<EventEntry[]> {
  const groups: EventGroup[] = [];
  let pages = 0;
  for await (const { data } of gatehouse.events.listGroups({ limit: pageSize }, { signal }).pages()) {
    groups.push(...data);
    pages += 1;
    if (pages === maxPages || toEntries(groups).length > shownEvents) break;
  }
  return toEntries(groups).slice(0, shownEvents);
}
