import { UnstyledButton } from '@mantine/core';
import { useTexts } from '../../../languages/texts.tsx';
import { IconArrowDown, IconArrowUp } from '../../icons/icons.ts';
import classes from '../member-list.module.css';
import type { MembersSearch } from '../members-search.ts';
import { type ColumnLayout, sortOfColumn } from './columns.ts';

interface ColumnHeadProps {
  column: ColumnLayout;
  search: MembersSearch;
  change: (changes: Partial<MembersSearch>) => void;
}

/** The heading of a column. Pressing it sorts the list. */
export function ColumnHead({ column: { name, align }, search, change }: ColumnHeadProps) {
  const t = useTexts('members');
  const sort = sortOfColumn(name);
  const text = t(`column.${name}`);
  const { sort: sorted = 'createdAt', order = 'desc' } = search;
  const isSorted = sort !== undefined && sorted === sort;
  const isAscending = order === 'asc';
  const ariaSort = isAscending ? 'ascending' : 'descending';
  return (
    <th data-align={align} title={text} aria-sort={isSorted ? ariaSort : undefined}>
      {sort === undefined ? (
        text
      ) : (
        <UnstyledButton
          className={classes.sort!}
          onClick={() => change({ sort, order: nextOrder(name, isSorted, isAscending) })}
        >
          <SortArrow isSorted={isSorted} isAscending={isAscending} />
          {text}
        </UnstyledButton>
      )}
    </th>
  );
}

function SortArrow({ isSorted, isAscending }: { isSorted: boolean; isAscending: boolean }) {
  if (!isSorted) return null;
  const Arrow = isAscending ? IconArrowUp : IconArrowDown;
  return <Arrow size={12} aria-hidden />;
}

/** Names are sorted ascending first, times with the latest first. */
function nextOrder(column: string, isSorted: boolean, isAscending: boolean): 'asc' | 'desc' {
  if (isSorted) return isAscending ? 'desc' : 'asc';
  return column.endsWith('At') ? 'desc' : 'asc';
}
