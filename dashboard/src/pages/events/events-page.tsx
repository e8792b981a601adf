import { useNavigate, useSearch } from '@tanstack/react-router';
import { LongEntryList } from '../../components/events/event-list.tsx';
import { EventFilterContext } from '../../components/events/folded-events.tsx';
import { QueryState } from '../../components/feedback/query-state.tsx';
import { IconActivity, IconFilterOff, IconRefresh } from '../../components/icons/icons.ts';
import { ActionButton } from '../../components/layout/action-button.tsx';
import { EmptyState } from '../../components/layout/empty-state.tsx';
import { IconAction } from '../../components/layout/icon-action.tsx';
import { PageHeader } from '../../components/layout/page-header.tsx';
import { useTexts } from '../../languages/texts.tsx';
import { useSite } from '../../session/site.ts';
import { EventFilters, FilterPills } from './event-filters.tsx';
import { useEvents } from './events-query.ts';
import { type EventsSearch, toEventFilter } from './events-search.ts';
import { ExportButton } from './export-button.tsx';
import { NewEvents } from './new-events.tsx';

/** The events of the site, newest first. The URL contains the filters. */
export function EventsPage() {
  const t = useTexts('events');
  const search = useSearch({ from: '/$site/events' });
  const navigate = useNavigate({ from: '/$site/events' });
  const filter = toEventFilter(search, useSite().timeZone);
  const events = useEvents(filter);
  const change = (changes: Partial<EventsSearch>) =>
    void navigate({ search: (before) => ({ ...before, ...changes }), replace: true });
  const clear = () => void navigate({ search: {}, replace: true });

  return (
    <>
      <PageHeader
        title={t('title')}
        description={t('description')}
        actions={
          <>
            <IconAction
              icon={IconRefresh}
              variant="default"
              size={36}
              label={t('refresh')}
              title={t('refresh')}
              loading={events.isRefetching}
              onClick={() => events.refetch()}
            />
            <ExportButton filter={filter} />
          </>
        }
      />
      <EventFilters search={search} change={change} />
      <FilterPills
        search={search}
        change={change}
        actorName={events.data?.[0]?.event.actor.name}
        clear={clear}
      />
      {events.data && (
        <EventFilterContext value={filter}>
          <NewEvents filter={filter} entries={events.data} />
          <LongEntryList entries={events.data} label={t('title')} />
        </EventFilterContext>
      )}
      {events.data?.length === 0 && <NoEvents filtered={Object.keys(search).length > 0} clear={clear} />}
      <QueryState query={events} />
    </>
  );
}

function NoEvents({ filtered, clear }: { filtered: boolean; clear: () => void }) {
  const t = useTexts('events');
  if (!filtered) {
    return (
      <EmptyState icon={IconActivity} title={t('empty')}>
        {t('emptyText')}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={IconFilterOff}
      title={t('noMatch')}
      action={<ActionButton label={t('clearFilters')} onClick={clear} />}
    >
      {t('noMatchText')}
    </EmptyState>
  );
}
