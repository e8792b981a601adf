import { ReturnLink } from '../../../components/layout/links.tsx';
import { readMembersSearch } from '../../../components/member-list/members-search.ts';
import { useTexts } from '../../../languages/texts.tsx';
import { useGroupById } from '../../../queries/by-id.ts';
import { useMemberList } from '../../../queries/member-list.ts';

/** Leads back to the list from which the member was opened, with its filters; otherwise to all members. */
export function BackToList() {
  const t = useTexts('member');
  const { groupId, search = {} } = useMemberList() ?? {};
  if (groupId !== undefined) return <BackToGroup groupId={groupId} />;
  return (
    <ReturnLink from="/$site" to="/$site/members" search={readMembersSearch({ ...search })}>
      {t('back')}
    </ReturnLink>
  );
}

function BackToGroup({ groupId }: { groupId: string }) {
  const t = useTexts('member');
  const group = useGroupById(groupId);
  return (
    <ReturnLink from="/$site" to="/$site/groups/$groupId" params={{ groupId }}>
      {group?.name ?? t('group')}
    </ReturnLink>
  );
}
