import type { EventGroup, Gatehouse } from '@gatehouse/client';
import { useQuery } from '@tanstack/react-query';
import { type EventEntry, toEntries } from '../../components/events/event-entries.ts';
import { EntryList } from '../../components/events/event-list.tsx';
import { ErrorNote } from '../../components/feedback/error-note.tsx';
import { LinkText } from '../../components/layout/links.tsx';
import { Section } from '../../components/layout/section.tsx';
import { RowsSkeleton } from '../../components/layout/skeletons.tsx';
import { useTexts } from '../../languages/texts.tsx';
import { useSiteApi } from '../../queries/site-api.ts';

const shownEvents = 8;
const pageSize = 20;
/** A bulk action on more members than this number of pages holds is shown with the events that were loaded. */
const maxPages = 10;
const refetchMilliseconds = 30_000;

/** The most recent events. */
export function NewestEvents() {
  const t = useTexts('overview');
  const { gatehouse, keys } = useSiteApi();
  const { data, error, refetch } = useQuery({
    queryKey: keys.events.newest,
    queryFn: ({ signal }) => fetchNewest(gatehouse, signal),
    refetchInterval: refetchMilliseconds,
  });
  return (
    <Section
      title={t('recent')}
      action={
        <LinkText from="/$site" to="/$site/events">
          {t('allEvents')}
        </LinkText>
      }
    >
      {data && <EntryList entries={data} label={t('recent')} />}
      {!data && !error && <RowsSkeleton rows={shownEvents} />}
      {error && !data && <ErrorNote error={error} retry={refetch} />}
    </Section>
  );
}

/** Loads pages until there are enough entries and the last one is complete. */
async function fetchNewest(gatehouse: Gatehouse, signal: AbortSignal): Promise<EventEntry[]> {
  const groups: EventGroup[] = [];
  let pages = 0;
  for await (const { data } of gatehouse.eventGroups.list({ limit: pageSize }, { signal }).pages()) {
    groups.push(...data);
    pages += 1;
    if (pages === maxPages || toEntries(groups).length > shownEvents) break;
  }
  return toEntries(groups).slice(0, shownEvents);
}
