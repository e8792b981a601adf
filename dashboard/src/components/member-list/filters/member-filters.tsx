import type { ReactNode } from 'react';
import { useTexts } from '../../../languages/texts.tsx';
import { Toolbar } from '../../layout/toolbar.tsx';
import type { MembersSearch } from '../members-search.ts';
import type { MemberColumns } from '../table/columns.ts';
import { ColumnMenu } from './column-menu.tsx';
import { FilterMenu } from './filter-menu.tsx';
import { FilterPills } from './filter-pills.tsx';
import { GroupFilter } from './group-filter.tsx';
import { SearchField } from './search-field.tsx';
import { SortSelect } from './sort-select.tsx';

interface MemberFiltersProps {
  search: MembersSearch;
  change: (changes: Partial<MembersSearch>) => void;
  columns: MemberColumns;
  /** Whether the members of one group are listed. */
  isOfGroup: boolean;
  views: ReactNode;
}

/** Search, filters, sorting and columns of a list of members. */
export function MemberFilters({ search, change, columns, isOfGroup, views }: MemberFiltersProps) {
  const t = useTexts('members');
  return (
    <search aria-label={t('filters')}>
      <Toolbar>
        <SearchField query={search.q ?? ''} change={(q) => change({ q })} />
        {!isOfGroup && <GroupFilter groupId={search.group} change={(group) => change({ group })} />}
        <FilterMenu search={search} change={change} />
        <ColumnMenu choices={columns.choices} />
        <SortSelect search={search} change={change} />
        {views}
      </Toolbar>
      <FilterPills search={search} change={change} />
    </search>
  );
}
