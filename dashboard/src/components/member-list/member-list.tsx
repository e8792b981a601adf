import { Stack } from '@mantine/core';
import { type ReactNode, Suspense, useEffect, useMemo, useState } from 'react';
import { useShortcuts } from '../../hooks/shortcuts/use-shortcuts.ts';
import { MemberListContext } from '../../queries/member-list.ts';
import { ErrorNote } from '../feedback/error-note.tsx';
import { latePart } from '../late-part.ts';
import { TableSkeleton } from '../layout/skeletons.tsx';
import { MemberFilters } from './filters/member-filters.tsx';
import { unfiltered } from './members-search.ts';
import { NoMembersFound } from './no-members-found.tsx';
import { isAnybodySelected } from './selection.ts';
import { useColumns } from './table/columns.ts';
import type { ListedGroup } from './table/member-row.tsx';
import { MemberTable } from './table/member-table.tsx';
import { isNarrowed, type MemberListState } from './use-member-list.ts';

const loadSelectionBar = async () => (await import('./bulk/selection-bar.tsx')).SelectionBar;
const SelectionBar = latePart(loadSelectionBar);

interface MemberListProps {
  list: MemberListState;
  /** The group whose members are listed. */
  group?: ListedGroup;
  /** The number of members without any filter, if it is known. */
  count: number | undefined;
  /** A menu with views of the list. */
  views?: ReactNode;
  /** Shown instead of the table if there is nobody, and no filter. */
  empty: ReactNode;
}

/** A list of members with its filters, and with actions for those who are selected. */
export function MemberList({ list, group, count, views, empty }: MemberListProps) {
  const { rows, search, change, filter, selection } = list;
  const columns = useColumns(group !== undefined);
  const isSelecting = isAnybodySelected(selection);
  // Once somebody was selected, it stays for the progress of what is done and undone.
  const [isBarNeeded, setBarNeeded] = useState(false);
  if (isSelecting && !isBarNeeded) setBarNeeded(true);
  // Loaded after the list, so that it appears with the first selection.
  useEffect(() => void loadSelectionBar().catch(() => {}), []);
  useShortcuts([{ keys: 'Escape', name: 'clear', run: list.clear, isOff: !isSelecting }], 'list');
  const groupId = group?.id;
  const place = useMemo(() => ({ filter, search, groupId }), [filter, search, groupId]);
  const narrowed = isNarrowed(list, groupId);
  const isEmpty = !rows.isPending && !rows.isFormer && !rows.error && rows.count === 0;
  useClearedSelection(list);
  return (
    // A column, in which the bar is below the rows, though it comes before them in the keyboard order.
    <Stack gap={0}>
      <MemberFilters
        search={search}
        change={change}
        columns={columns}
        isOfGroup={group !== undefined}
        views={views}
      />
      {isBarNeeded && (
        <Suspense>
          <SelectionBar
            list={list}
            group={group?.actions && group}
            matching={rows.total ?? (narrowed ? null : (count ?? null))}
          />
        </Suspense>
      )}
      {rows.isPending && <TableSkeleton rows={12} columns={columns.chosen.length} />}
      {rows.count > 0 && (
        <MemberListContext value={place}>
          <MemberTable
            {...list}
            chosen={columns.chosen}
            group={group}
            toggleAll={isSelecting ? list.clear : list.selectAll}
          />
        </MemberListContext>
      )}
      {rows.error && <ErrorNote error={rows.error} retry={rows.retry} />}
      {isEmpty && (narrowed ? <NoMembersFound search={search} clear={() => change(unfiltered)} /> : empty)}
    </Stack>
  );
}

/** Ends the selection of all matching members when none of them matches any more, such as after their ends were changed. */
function useClearedSelection({ rows, selection, clear }: MemberListState): void {
  const isNobodyLeft = selection.all && rows.total !== null && rows.total <= selection.except.size;
  useEffect(() => {
    if (isNobodyLeft) clear();
  }, [isNobodyLeft, clear]);
}
