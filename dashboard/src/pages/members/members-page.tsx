import { useMatch, useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { ErrorNote } from '../../components/feedback/error-note.tsx';
import { IconDownload, IconSearchOff, IconUserPlus, IconUsers } from '../../components/icons/icons.ts';
import { ActionButton } from '../../components/layout/action-button.tsx';
import { EmptyState } from '../../components/layout/empty-state.tsx';
import { LinkButton } from '../../components/layout/links.tsx';
import { PageHeader } from '../../components/layout/page-header.tsx';
import { RowsSkeleton } from '../../components/layout/skeletons.tsx';
import { useTexts } from '../../languages/texts.tsx';
import { MemberListContext } from '../../queries/member-list.ts';
import { useOverview } from '../../queries/overview.ts';
import { useMay } from '../../session/site.ts';
import { BulkBar } from './bulk/bulk-bar.tsx';
import type { BulkJob } from './bulk/bulk-jobs.ts';
import { useBulk } from './bulk/use-bulk.tsx';
import { useSelectedCount } from './bulk/use-selected.ts';
import { useMemberFilter } from './member-filter.ts';
import { MemberFilters } from './member-filters.tsx';
import classes from './members.module.css';
import { isFiltered, type MembersSearch } from './members-search.ts';
import { isAnybodySelected, type Selection, useSelection } from './selection.ts';
import { useMemberTable } from './table/member-columns.tsx';
import { type MemberRows, useMemberRows } from './table/member-rows.ts';
import { MembersTable } from './table/members-table.tsx';

const unfiltered = {
  q: undefined,
  status: undefined,
  paid: undefined,
  verified: undefined,
  createdByRequest: undefined,
};
const everyone: Selection = { all: true, except: new Set() };

/** Changes the filters and the sorting in the URL, unless the operator has just gone to another page, which still loads. */
function useChange(): (changes: Partial<MembersSearch>) => void {
  const navigate = useNavigate({ from: '/$site/members' });
  const { pathname } = useMatch({ from: '/$site/members' });
  const router = useRouter();
  return useCallback(
    (changes) => {
      if (router.latestLocation.pathname !== pathname) return;
      void navigate({ search: (before) => ({ ...before, ...changes }), replace: true });
    },
    [navigate, pathname, router],
  );
}

/** The members of the site. The URL contains the filters and the sorting. */
export function MembersPage() {
  const t = useTexts('members');
  const search = useSearch({ from: '/$site/members' });
  const change = useChange();
  const filter = useMemberFilter(search);
  const rows = useMemberRows(filter);
  const list = useMemo(() => ({ filter, search }), [filter, search]);
  const table = useMemberTable(rows.members);
  const { selection, toggle, selectAll, clear } = useSelection(JSON.stringify(filter));
  const bulk = useBulk(selection, filter);
  const selected = useSelectedCount(selection, filter, rows.total);
  const wholeExport = useBulk(everyone, filter);
  async function runBulk(job: BulkJob): Promise<void> {
    const isBegun = await bulk.run(job);
    if (isBegun && job.action.type === 'delete') clear();
  }
  const filtered = isFiltered(search);
  const isEmpty = !rows.isPending && !rows.isFormer && !rows.error && rows.count === 0;

  return (
    <>
      <MembersHeader rows={filtered ? rows : undefined} exportCsv={wholeExport.exportCsv} />
      <MemberFilters search={search} change={change} table={table} />
      <div className={classes.list}>
        {isAnybodySelected(selection) && (
          <BulkBar
            text={selectionText(t, selection, selected)}
            run={runBulk}
            exportCsv={bulk.exportCsv}
            inviteAgain={bulk.inviteAgain}
            selectAll={selection.all ? undefined : selectAll}
            clear={clear}
          />
        )}
        {rows.isPending && <RowsSkeleton rows={10} />}
        {rows.count > 0 && (
          <MemberListContext value={list}>
            <MembersTable
              rows={rows}
              table={table}
              search={search}
              change={change}
              selection={selection}
              toggle={toggle}
              toggleAll={isAnybodySelected(selection) ? clear : selectAll}
            />
          </MemberListContext>
        )}
        {rows.error && <ErrorNote error={rows.error} retry={rows.retry} />}
        {isEmpty && (filtered ? <NoMembersFound clear={() => change(unfiltered)} /> : <NoMembersYet />)}
      </div>
      {bulk.dialog}
      {wholeExport.dialog}
    </>
  );
}

interface MembersHeaderProps {
  /** The number of matching members, if there is a filter. */
  rows: MemberRows | undefined;
  exportCsv: () => void;
}

function MembersHeader({ rows, exportCsv }: MembersHeaderProps) {
  const t = useTexts('members');
  const { data } = useOverview();
  const all = data && t('counted', { count: data.members.total });
  return (
    <PageHeader
      title={t('title')}
      description={<span role="status">{(rows ? matchText(t, rows) : all) ?? ' '}</span>}
      actions={
        <>
          <ActionButton icon={IconDownload} label={t('exportAll')} onClick={exportCsv} />
          <AddButton />
        </>
      }
    />
  );
}

function matchText(
  t: ReturnType<typeof useTexts<'members'>>,
  { total, moreThan }: MemberRows,
): string | undefined {
  if (total !== null) return t('matching', { count: total });
  return moreThan > 0 ? t('matchingMore', { count: moreThan }) : undefined;
}

function AddButton() {
  const t = useTexts('members');
  if (!useMay('members:write')) return null;
  return (
    <LinkButton leftSection={<IconUserPlus size={16} aria-hidden />} from="/$site" to="/$site/add">
      {t('addMembers')}
    </LinkButton>
  );
}

function NoMembersYet() {
  const t = useTexts('members');
  return (
    <EmptyState icon={IconUsers} title={t('empty')} action={<AddButton />}>
      {t('emptyText')}
    </EmptyState>
  );
}

function NoMembersFound({ clear }: { clear: () => void }) {
  const t = useTexts('members');
  return (
    <EmptyState
      icon={IconSearchOff}
      title={t('noMatch')}
      action={<ActionButton label={t('showAll')} onClick={clear} />}
    >
      {t('noMatchText')}
    </EmptyState>
  );
}

function selectionText(
  t: ReturnType<typeof useTexts<'members'>>,
  selection: Selection,
  count: number | null,
): string {
  if (count === null) return t('counting');
  const isAll = selection.all && selection.except.size === 0 && count > 1;
  return t(isAll ? 'allSelected' : 'selected', { count });
}
