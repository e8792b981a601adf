import { Checkbox, Skeleton, Text, UnstyledButton } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { FlexRender } from '@tanstack/react-table';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { memo, use, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { IconArrowDown, IconArrowUp } from '../../../components/icons/icons.ts';
import { displayAddress } from '../../../format/addresses/email-address.ts';
import { useTexts } from '../../../languages/texts.tsx';
import { MemberListContext } from '../../../queries/member-list.ts';
import { useSite } from '../../../session/site.ts';
import classes from '../members.module.css';
import type { MembersSearch } from '../members-search.ts';
import { isSelected, type Selection } from '../selection.ts';
import type { MemberColumn, MemberTable, MemberTableRow } from './member-columns.tsx';
import { sortOfColumn } from './member-columns.tsx';
import type { MemberRows } from './member-rows.ts';
import { pageSize } from './page-chain.ts';

interface MembersTableProps {
  rows: MemberRows;
  table: MemberTable;
  search: MembersSearch;
  change: (changes: Partial<MembersSearch>) => void;
  selection: Selection;
  toggle: (row: MemberTableRow['original']) => void;
  toggleAll: () => void;
}

const rowHeight = 57;
const cardHeight = 108;
/** The number of rows that are rendered and loaded beyond the visible ones. */
const overscan = 12;

/** The members in rows, or in cards on a phone. Only the visible ones are rendered. */
export function MembersTable(props: MembersTableProps) {
  const { rows, table, search, change, selection, toggle, toggleAll } = props;
  const t = useTexts('members');
  const { body, virtualizer, top, bottom } = useVirtualRows(rows);
  const byId = table.getRowModel().rowsById;
  const columns = table.getVisibleLeafColumns().map(({ id }) => id as MemberColumn);
  return (
    <table
      className={classes.table}
      aria-rowcount={rows.total === null ? -1 : rows.total + 1}
      aria-busy={rows.isFormer}
      aria-label={t('title')}
    >
      <thead>
        <tr aria-rowindex={1}>
          <SelectAllHead selection={selection} toggleAll={toggleAll} />
          {columns.map((column) => (
            <ColumnHead key={column} column={column} search={search} change={change} />
          ))}
        </tr>
      </thead>
      <tbody ref={body}>
        <Spacer height={top} width={columns.length + 1} />
        {virtualizer.getVirtualItems().map(({ index }) => {
          const member = rows.at(index);
          const row = member && byId[member.id];
          return row ? (
            <MemberTableRowView
              // While the pages are fetched again, a member may be in two of them.
              key={`${Math.floor(index / pageSize)} ${member.id}`}
              index={index}
              measure={virtualizer.measureElement}
              row={row}
              columns={columns.join(' ')}
              selected={isSelected(selection, row.id)}
              toggle={toggle}
            />
          ) : (
            <tr key={index} data-index={index} ref={virtualizer.measureElement} className={classes.row!}>
              <td colSpan={columns.length + 1}>
                <Skeleton height={24} radius="md" />
              </td>
            </tr>
          );
        })}
        <Spacer height={bottom} width={columns.length + 1} />
      </tbody>
    </table>
  );
}

function SelectAllHead({ selection, toggleAll }: Pick<MembersTableProps, 'selection' | 'toggleAll'>) {
  const t = useTexts('members');
  return (
    <th className={classes.tick}>
      <Checkbox
        aria-label={t('selectAll')}
        checked={selection.all && selection.except.size === 0}
        indeterminate={selection.all ? selection.except.size > 0 : selection.members.size > 0}
        onChange={toggleAll}
      />
      <span className={classes.label} aria-hidden>
        {t('selectAll')}
      </span>
    </th>
  );
}

interface ColumnHeadProps {
  column: MemberColumn;
  search: MembersSearch;
  change: (changes: Partial<MembersSearch>) => void;
}

function ColumnHead({ column, search, change }: ColumnHeadProps) {
  const t = useTexts('members');
  const sort = sortOfColumn(column);
  const name = t(`column.${column}`);
  if (!sort) return <th>{name}</th>;
  const { sort: sorted = 'createdAt', order = 'desc' } = search;
  const isSorted = sorted === sort;
  // Names are sorted ascending first, times with the latest first.
  const defaultOrder = column.endsWith('At') ? 'desc' : 'asc';
  const isAscending = order === 'asc';
  const other = isAscending ? 'desc' : 'asc';
  const ariaSort = isAscending ? 'ascending' : 'descending';
  const Arrow = isAscending ? IconArrowUp : IconArrowDown;
  return (
    <th aria-sort={isSorted ? ariaSort : undefined}>
      <UnstyledButton
        className={classes.head!}
        onClick={() => change({ sort, order: isSorted ? other : defaultOrder })}
      >
        {name}
        {isSorted && <Arrow size={14} aria-hidden />}
      </UnstyledButton>
    </th>
  );
}

interface RowViewProps {
  index: number;
  measure: (element: HTMLTableRowElement | null) => void;
  row: MemberTableRow;
  /** The names of the columns. The row is rendered again when they change. */
  columns: string;
  selected: boolean;
  toggle: (member: MemberTableRow['original']) => void;
}

const MemberTableRowView = memo(function MemberTableRowView(props: RowViewProps) {
  const { index, measure, row, selected, toggle } = props;
  const t = useTexts('members');
  const { slug } = useSite();
  const navigate = useNavigate();
  const memberList = use(MemberListContext);
  const { original: member } = row;
  return (
    <tr
      ref={measure}
      data-index={index}
      aria-rowindex={index + 2}
      className={classes.row!}
      data-selected={selected || undefined}
      // For the mouse only. For keyboard and screen reader users, the name is the link.
      onClick={(event) => {
        if (isForItself(event.target as Element)) return;
        const params = { site: slug, memberId: member.id };
        void navigate({ to: '/$site/members/$memberId', params, state: { memberList } });
      }}
    >
      <td className={classes.tick}>
        <Checkbox
          aria-label={t('select', { name: member.displayName ?? displayAddress(member.email) })}
          checked={selected}
          onChange={() => toggle(member)}
        />
      </td>
      {row.getVisibleCells().map((cell) => {
        const column = cell.column.id as MemberColumn;
        return (
          <td key={cell.id} className={classes[column] ?? ''}>
            {column !== 'displayName' && (
              <Text component="span" className={classes.label!}>
                {t(`column.${column}`)}
              </Text>
            )}
            <FlexRender cell={cell} />
          </td>
        );
      })}
    </tr>
  );
});

/** Whether a click was on a control in the row, or selected text. */
function isForItself(pressed: Element): boolean {
  return (
    pressed.closest('a, button, input, label, td:first-child') !== null ||
    window.getSelection()?.isCollapsed === false
  );
}

/** The visible rows, and the space above and below them. */
function useVirtualRows(rows: MemberRows) {
  const body = useRef<HTMLTableSectionElement>(null);
  const [scrollMargin, setScrollMargin] = useState(0);
  const isPhone = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false });
  useLayoutEffect(() => {
    const { top } = body.current!.getBoundingClientRect();
    setScrollMargin(Math.round(top + window.scrollY));
  });
  const virtualizer = useWindowVirtualizer<HTMLTableRowElement>({
    count: rows.count,
    estimateSize: () => (isPhone ? cardHeight : rowHeight),
    overscan,
    scrollMargin,
  });
  const items = virtualizer.getVirtualItems();
  const first = items[0];
  const last = items.at(-1);
  useEffect(() => {
    if (first && last) rows.show(first.index, last.index);
  });
  return {
    body,
    virtualizer,
    top: first ? first.start - scrollMargin : 0,
    bottom: last ? virtualizer.getTotalSize() - (last.end - scrollMargin) : 0,
  };
}

function Spacer({ height, width }: { height: number; width: number }) {
  if (height <= 0) return null;
  return (
    <tr aria-hidden className={classes.spacer!}>
      <td colSpan={width} style={{ height }} />
    </tr>
  );
}
