import { useMatch, useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { Suspense, useCallback } from 'react';
import { IconUserPlus, IconUsers } from '../../components/icons/icons.ts';
import { latePart } from '../../components/late-part.ts';
import { EmptyState } from '../../components/layout/empty-state.tsx';
import { LinkButton } from '../../components/layout/links.tsx';
import { PageHeader } from '../../components/layout/page-header.tsx';
import { ExportButton } from '../../components/member-list/bulk/export-button.tsx';
import { MemberList } from '../../components/member-list/member-list.tsx';
import type { MembersSearch } from '../../components/member-list/members-search.ts';
import type { MemberRows } from '../../components/member-list/table/member-rows.ts';
import {
  isNarrowed,
  type MemberListState,
  useMemberList,
} from '../../components/member-list/use-member-list.ts';
import { Contact } from '../../components/people/contact.tsx';
import { useTexts } from '../../languages/texts.tsx';
import { useOverview } from '../../queries/overview.ts';
import { useMay } from '../../session/site.ts';

const ViewsMenu = latePart(async () => (await import('./views/views-menu.tsx')).ViewsMenu);

/** The members of the site. The URL contains the filters and the sorting. */
export function MembersPage() {
  const search = useSearch({ from: '/$site/members' });
  const change = useChange();
  const list = useMemberList(search, change);
  const { data } = useOverview();
  return (
    <>
      <MembersHeader list={list} count={data?.members.total} />
      <MemberList
        list={list}
        count={data?.members.total}
        views={
          <Suspense>
            <ViewsMenu search={search} change={change} />
          </Suspense>
        }
        empty={<NoMembersYet />}
      />
    </>
  );
}

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

function MembersHeader({ list, count }: { list: MemberListState; count: number | undefined }) {
  const t = useTexts('members');
  const all = count === undefined ? undefined : t('counted', { count });
  return (
    <PageHeader
      title={t('title')}
      description={
        <span role="status">{(isNarrowed(list) ? matchText(t, list.rows) : all) ?? '\u00a0'}</span>
      }
      actions={
        <>
          <ExportButton filter={list.filter} />
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
  const mayAdd = useMay('members:write');
  return (
    <EmptyState
      icon={IconUsers}
      title={t('empty')}
      action={mayAdd ? <AddButton /> : <Contact needs={['members:write']} isReadOnly />}
    >
      {t('emptyText')}
    </EmptyState>
  );
}
