import { Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTexts } from '../../../languages/texts.tsx';
import { useSiteApi } from '../../../queries/site-api.ts';
import { QuietButton } from '../../layout/action-button.tsx';
import { FilterPill } from '../../tables/filter-pill.tsx';
import { timeText } from '../../time-text.tsx';
import { type MembersSearch, unfiltered } from '../members-search.ts';
import { endsText } from './ends-text.ts';
import { stateFilters } from './state-filters.ts';

interface FilterPillsProps {
  search: MembersSearch;
  change: (changes: Partial<MembersSearch>) => void;
}

const { q: _q, ...noFilters } = unfiltered;

/** The chosen filters, which can be removed. */
export function FilterPills({ search, change }: FilterPillsProps) {
  const t = useTexts('members');
  const chosen = stateFilters.filter(({ field, value }) => search[field] === value);
  const { createdByRequest, ends } = search;
  if (chosen.length === 0 && createdByRequest === undefined && ends === undefined) return null;
  return (
    <Group gap="xs" mb="sm">
      {createdByRequest !== undefined && (
        <ImportPill request={createdByRequest} remove={() => change({ createdByRequest: undefined })} />
      )}
      {chosen.map(({ name, field }) => (
        <FilterPill key={name} text={t(name)} remove={() => change({ [field]: undefined })} />
      ))}
      {ends !== undefined && (
        <FilterPill text={endsText(t, ends)} remove={() => change({ ends: undefined })} />
      )}
      <QuietButton label={t('clearFilters')} onClick={() => change(noFilters)} />
    </Group>
  );
}

/** An import, by the time of the first member that it created. */
function ImportPill({ request, remove }: { request: string; remove: () => void }) {
  const t = useTexts('members');
  const { gatehouse, keys } = useSiteApi();
  const { data: begin } = useQuery({
    queryKey: keys.members.firstCreatedBy(request),
    queryFn: async ({ signal }) => {
      const oldest = { createdByRequest: request, sort: 'createdAt', order: 'asc', limit: 1 } as const;
      const { data } = await gatehouse.members.list(oldest, { signal }).page();
      return data[0]?.createdAt ?? null;
    },
  });
  const text = begin ? t('filter.import.at', { time: timeText(begin, 'full') }) : t('filter.import');
  return <FilterPill text={text} remove={remove} />;
}
