import type { AccessGroup, Member } from '@gatehouse/client';
import { useCallbackRef } from '@mantine/hooks';
import { useMatch, useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { type ReactNode, useCallback, useMemo, useState } from 'react';
import { IconUsers } from '../../components/icons/icons.ts';
import { EmptyState } from '../../components/layout/empty-state.tsx';
import { LinkButton } from '../../components/layout/links.tsx';
import { MemberList } from '../../components/member-list/member-list.tsx';
import type { MembersSearch } from '../../components/member-list/members-search.ts';
import type { ListedGroup } from '../../components/member-list/table/member-row.tsx';
import { useMemberList } from '../../components/member-list/use-member-list.ts';
import { LastDayDialog } from '../../components/members/last-day-dialog.tsx';
import { Contact } from '../../components/people/contact.tsx';
import { useTexts } from '../../languages/texts.tsx';
import { nameOf, useMembershipChanges } from './membership-changes.ts';

interface GroupMembersProps {
  group: AccessGroup;
  /** Whether its memberships can be changed. */
  mayWrite: boolean;
  /** The button that adds a member, for those who may. */
  add: ReactNode;
}

/** The members of a group. The URL contains the filters. */
export function GroupMembers({ group, mayWrite, add }: GroupMembersProps) {
  const t = useTexts('groups');
  const search = useSearch({ from: '/$site/groups/$groupId' });
  const list = useMemberList(search, useChange(), group.id);
  const { remove, changeEnd } = useMembershipChanges(group);
  const [changing, setChanging] = useState<Member | null>(null);
  const { id, name } = group;
  // Stays the same while it is shown, so that the rows are not rendered again.
  const removeOne = useCallbackRef((member: Member) => void remove(member));
  const listed = useMemo((): ListedGroup => {
    const actions = { changeEnd: setChanging, remove: removeOne };
    return { id, name, actions: mayWrite ? actions : undefined };
  }, [id, name, mayWrite, removeOne]);
  return (
    <>
      <MemberList
        list={list}
        group={listed}
        count={group.memberCount}
        empty={
          <EmptyState icon={IconUsers} title={t('noMembers')} action={add || <NextStep group={group} />}>
            {t(group.type === 'scope' ? 'noMembersOfSource' : 'noMembersText')}
          </EmptyState>
        }
      />
      <LastDayDialog
        memberId={changing?.id}
        groupId={group.id}
        title={changing && t('changeEnd', { member: nameOf(changing) })}
        save={(saved, end) => changeEnd(changing!, saved, end)}
        close={() => setChanging(null)}
      />
    </>
  );
}

/** In an empty group, for those who cannot add members here. */
function NextStep({ group: { type, sourceId } }: { group: AccessGroup }) {
  const t = useTexts('groups');
  if (type !== 'scope') return <Contact needs={['access-groups:write']} isReadOnly />;
  if (sourceId === null) return null;
  return (
    <LinkButton variant="default" from="/$site" to="/$site/sources/$sourceId" params={{ sourceId }}>
      {t('openSource')}
    </LinkButton>
  );
}

/** Changes the filters and the sorting in the URL, unless the operator has just gone to another page, which still loads. */
function useChange(): (changes: Partial<MembersSearch>) => void {
  const from = '/$site/groups/$groupId';
  const navigate = useNavigate({ from });
  const { pathname } = useMatch({ from });
  const router = useRouter();
  return useCallback(
    (changes) => {
      if (router.latestLocation.pathname !== pathname) return;
      void navigate({ search: (before) => ({ ...before, ...changes }), replace: true });
    },
    [navigate, pathname, router],
  );
}
