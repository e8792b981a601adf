import type { MemberSortField } from '@gatehouse/client';
import { CloseButton, Group, Menu, Select, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import { IconAdjustmentsHorizontal, IconColumns3, IconSearch } from '../../components/icons/icons.ts';
import { ActionButton } from '../../components/layout/action-button.tsx';
import { useTexts } from '../../languages/texts.tsx';
import { toQuery } from '../../queries/search.ts';
import { FilterPills } from './filter-pills.tsx';
import classes from './members.module.css';
import { type MembersSearch, sortFields } from './members-search.ts';
import { stateFilters } from './state-filters.ts';
import type { MemberColumn, MemberTable } from './table/member-columns.tsx';

interface MemberFiltersProps {
  search: MembersSearch;
  change: (changes: Partial<MembersSearch>) => void;
  table: MemberTable;
}

const typingMilliseconds = 150;

/** Search, filters, sorting and columns of the member list. */
export function MemberFilters({ search, change, table }: MemberFiltersProps) {
  const t = useTexts('members');
  return (
    <search aria-label={t('filters')}>
      <Group gap="xs" mb="sm">
        <SearchField query={search.q ?? ''} change={(q) => change({ q })} />
        <FilterMenu search={search} change={change} />
        <ColumnMenu table={table} />
        <SortSelect search={search} change={change} />
      </Group>
      <FilterPills search={search} change={change} />
    </search>
  );
}

/** Delays changes until typing pauses, so that the rows are not rendered for each key. */
function SearchField({ query, change }: { query: string; change: (query: string | undefined) => void }) {
  const t = useTexts('members');
  const [typed, setTyped] = useState(query);
  const sent = useRef(query);
  const field = useRef<HTMLInputElement>(null);
  const send = useDebouncedCallback((text: string) => {
    sent.current = toQuery(text) ?? '';
    change(toQuery(text));
  }, typingMilliseconds);
  // The operator went back, or cleared the search elsewhere.
  useEffect(() => {
    if (query === sent.current) return;
    sent.current = query;
    setTyped(query);
  }, [query]);

  function type(text: string): void {
    setTyped(text);
    send(text);
  }

  function clear(): void {
    type('');
    field.current?.focus();
  }

  return (
    <TextInput
      ref={field}
      className={classes.search!}
      type="text"
      role="searchbox"
      placeholder={t('search')}
      aria-label={t('search')}
      leftSection={<IconSearch size={16} aria-hidden />}
      value={typed}
      onChange={(event) => type(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && typed !== '') type('');
      }}
      rightSection={typed !== '' && <CloseButton size="sm" aria-label={t('clearSearch')} onClick={clear} />}
    />
  );
}

function FilterMenu({ search, change }: Pick<MemberFiltersProps, 'search' | 'change'>) {
  const t = useTexts('members');
  return (
    <Menu width={240}>
      <Menu.Target>
        <ActionButton icon={IconAdjustmentsHorizontal} label={t('filter')} />
      </Menu.Target>
      <Menu.Dropdown>
        {stateFilters.map((filter, index) => {
          const { field, value } = filter;
          const isChosen = search[field] === value;
          return [
            index > 0 && stateFilters[index - 1]!.field !== field && <Menu.Divider key={field} />,
            <Menu.CheckboxItem
              key={filter.name}
              checked={isChosen}
              onChange={() => change({ [field]: isChosen ? undefined : value })}
            >
              {t(filter.name)}
            </Menu.CheckboxItem>,
          ];
        })}
      </Menu.Dropdown>
    </Menu>
  );
}

function ColumnMenu({ table }: { table: MemberTable }) {
  const t = useTexts('members');
  const columns = table.getAllLeafColumns().filter((column) => column.getCanHide());
  return (
    <Menu width={220}>
      <Menu.Target>
        <ActionButton icon={IconColumns3} label={t('columns')} visibleFrom="sm" />
      </Menu.Target>
      <Menu.Dropdown>
        {columns.map((column) => (
          <Menu.CheckboxItem
            key={column.id}
            checked={column.getIsVisible()}
            onChange={() => column.toggleVisibility()}
          >
            {t(`column.${column.id as MemberColumn}`)}
          </Menu.CheckboxItem>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** For phones, which show no column headings. */
function SortSelect({ search, change }: Pick<MemberFiltersProps, 'search' | 'change'>) {
  const t = useTexts('members');
  const { sort = 'createdAt', order = 'desc' } = search;
  return (
    <Select
      hiddenFrom="sm"
      flex="1 1 10rem"
      aria-label={t('sort')}
      allowDeselect={false}
      value={`${sort} ${order}`}
      onChange={(value) => {
        const [field, direction] = value!.split(' ');
        change({ sort: field as MemberSortField, order: direction as 'asc' | 'desc' });
      }}
      data={sortFields.flatMap((field) =>
        (['asc', 'desc'] as const).map((direction) => ({
          value: `${field} ${direction}`,
          label: t(`sort.${orderOf(field)}.${direction}`, { column: t(`column.${field}`) }),
        })),
      )}
    />
  );
}

/** How an order is named: from A to Z, by time, or only "newest first" for the time at which members were added. */
function orderOf(field: MemberSortField): 'added' | 'text' | 'time' {
  if (field === 'createdAt') return 'added';
  return field.endsWith('At') ? 'time' : 'text';
}
