import { Checkbox } from '@mantine/core';
import { useTexts } from '../../../languages/texts.tsx';
import tableClasses from '../../tables/data-table.module.css';
import classes from '../member-list.module.css';
import type { MembersSearch } from '../members-search.ts';
import { isSelected, type Selection } from '../selection.ts';
import { ColumnHead } from './column-head.tsx';
import type { ColumnLayout } from './columns.ts';
import { type ListedGroup, LoadingRow, MemberRow } from './member-row.tsx';
import type { MemberRows } from './member-rows.ts';
import { pageSize } from './page-chain.ts';
import { useRowKeys } from './use-row-keys.ts';
import { actionsWidth, tickWidth, useShownColumns } from './use-shown-columns.ts';
import { useVirtualRows } from './use-virtual-rows.ts';

interface MemberTableProps {
  rows: MemberRows;
  /** The columns that were chosen. Those for which there is no space are left out. */
  chosen: readonly ColumnLayout[];
  group: ListedGroup | undefined;
  search: MembersSearch;
  change: (changes: Partial<MembersSearch>) => void;
  selection: Selection;
  toggle: (memberId: string, withRange: boolean) => void;
  toggleAll: () => void;
}

/** The members in rows of equal height. Only the visible ones are rendered. */
export function MemberTable(props: MemberTableProps) {
  const { rows, chosen, group, search, change, selection, toggle, toggleAll } = props;
  const t = useTexts('members');
  const hasActions = group?.actions !== undefined;
  const { shown: columns, table, isPhone } = useShownColumns(chosen, hasActions);
  const { body, virtualizer, top, bottom } = useVirtualRows(rows, isPhone);
  const { active, follow } = useRowKeys({ rows, body, virtualizer, toggle });
  const width = columns.length + (hasActions ? 2 : 1);
  return (
    <table
      ref={table}
      className={`${tableClasses.table} ${classes.list}`}
      aria-rowcount={rows.total === null ? -1 : rows.total + 1}
      aria-busy={rows.isFormer}
      aria-label={t('title')}
    >
      <Widths columns={columns} hasActions={hasActions} />
      <thead>
        <tr aria-rowindex={1}>
          <SelectAllHead selection={selection} toggleAll={toggleAll} />
          {columns.map((column) => (
            <ColumnHead key={column.name} column={column} search={search} change={change} />
          ))}
          {hasActions && <td />}
        </tr>
      </thead>
      <tbody ref={body} onFocus={follow}>
        <Spacer height={top} width={width} />
        {virtualizer.getVirtualItems().map(({ index }) => {
          const member = rows.at(index);
          const place = { index, measure: virtualizer.measureElement };
          return member ? (
            <MemberRow
              // While the pages are fetched again, a member may be in two of them.
              key={`${Math.floor(index / pageSize)} ${member.id}`}
              {...place}
              member={member}
              groups={rows.groupsOf(member.id)}
              group={group}
              search={search}
              columns={columns}
              isActive={index === active}
              isSelected={isSelected(selection, member.id)}
              toggle={toggle}
            />
          ) : (
            <LoadingRow key={index} {...place} width={width} />
          );
        })}
        <Spacer height={bottom} width={width} />
      </tbody>
    </table>
  );
}

/** The widths of the columns, which do not depend on what is in the rows. */
function Widths({ columns, hasActions }: { columns: readonly ColumnLayout[]; hasActions: boolean }) {
  return (
    <colgroup>
      <col width={tickWidth} />
      {columns.map(({ name, width, fills }) => (
        <col key={name} {...(!fills && { width })} />
      ))}
      {hasActions && <col width={actionsWidth} />}
    </colgroup>
  );
}

function SelectAllHead({ selection, toggleAll }: Pick<MemberTableProps, 'selection' | 'toggleAll'>) {
  const t = useTexts('members');
  return (
    <th className={classes.tick}>
      <Checkbox
        size="xs"
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

/** The space of the rows that are not rendered. */
function Spacer({ height, width }: { height: number; width: number }) {
  if (height <= 0) return null;
  return (
    <tr aria-hidden className={classes.spacer!}>
      <td colSpan={width} style={{ height }} />
    </tr>
  );
}
