import type { EventFilter } from '@gatehouse/client';
import { useQuery } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { type EventEntry, toEntries } from '../../components/events/event-entries.ts';
import { IconArrowUp } from '../../components/icons/icons.ts';
import { ActionButton } from '../../components/layout/action-button.tsx';
import { TopNote } from '../../components/page/top-note.tsx';
import { useTexts } from '../../languages/texts.tsx';
import { firstPageOf, isAtTop, subscribeToScrolling } from '../../queries/long-lists.ts';
import { useSiteApi } from '../../queries/site-api.ts';
import { eventPage } from './events-query.ts';

interface NewEventsProps {
  filter: EventFilter;
  /** The entries that are shown. */
  entries: readonly EventEntry[];
}

/** Tells a reader who has scrolled down that there are new events. They would move what is being read. */
export function NewEvents({ filter, entries }: NewEventsProps) {
  const t = useTexts('events');
  const { keys, client } = useSiteApi();
  const list = keys.events.list(filter);
  const count = useNewCount(filter, entries);
  return (
    <TopNote>
      {count > 0 && (
        <ActionButton
          variant="filled"
          icon={IconArrowUp}
          label={t('newEvents', { count })}
          radius="xl"
          size="compact-md"
          onClick={() => {
            window.scrollTo({ top: 0 });
            client.setQueryData(list, firstPageOf);
            void client.invalidateQueries({ queryKey: list });
          }}
        />
      )}
    </TopNote>
  );
}

/** The number of matching entries that are newer than those that are shown, as far as the first page goes. */
function useNewCount(filter: EventFilter, entries: readonly EventEntry[]): number {
  const { gatehouse, keys } = useSiteApi();
  const enabled = !useSyncExternalStore(subscribeToScrolling, isAtTop) && entries.length > 0;
  const { data } = useQuery({
    queryKey: keys.events.head(filter),
    queryFn: async ({ signal }) => toEntries((await eventPage(gatehouse, filter, { signal })).data),
    enabled,
  });
  const shown = entries[0] && timeOf(entries[0]);
  if (!enabled || !data || shown === undefined) return 0;
  return data.filter((entry) => timeOf(entry) > shown).length;
}

function timeOf({ event, folded }: EventEntry): string {
  return folded?.until ?? event.occurredAt;
}
