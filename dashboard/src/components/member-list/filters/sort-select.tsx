import type { MemberSortField } from '@gatehouse/client';
import { Select } from '@mantine/core';
import { useTexts } from '../../../languages/texts.tsx';
import { type MembersSearch, sortFields } from '../members-search.ts';

interface SortSelectProps {
  search: MembersSearch;
  change: (changes: Partial<MembersSearch>) => void;
}

/** The order of the list, for phones, which show no column headings. */
export function SortSelect({ search, change }: SortSelectProps) {
  const t = useTexts('members');
  const { sort = 'createdAt', order = 'desc' } = search;
  return (
    <Select
      hiddenFrom="sm"
      size="xs"
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
