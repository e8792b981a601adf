import type { AccessGroup } from '@gatehouse/client';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { ObjectPage } from '../../components/feedback/object-page.tsx';
import { IconFolderOff, IconUserPlus } from '../../components/icons/icons.ts';
import { ActionButton } from '../../components/layout/action-button.tsx';
import { BackLink } from '../../components/layout/links.tsx';
import { PageHeader } from '../../components/layout/page-header.tsx';
import { useTexts } from '../../languages/texts.tsx';
import { useSiteApi } from '../../queries/site-api.ts';
import { type Version, versionOf } from '../../queries/version.ts';
import { useMay } from '../../session/site.ts';
import { GroupDialog } from '../groups/group-dialog.tsx';
import { AddMemberDialog } from './add-member-dialog.tsx';
import { GroupFacts } from './group-facts.tsx';
import { GroupMembers } from './group-members.tsx';
import { useRemoval } from './use-removal.tsx';

/** One access group: its name, description and members. */
export function GroupPage() {
  const t = useTexts('groups');
  const { groupId } = useParams({ from: '/$site/groups/$groupId' });
  const query = useGroup(groupId);
  const back = <BackLink to="/$site/groups">{t('back')}</BackLink>;
  return (
    <ObjectPage
      query={query}
      back={back}
      missing={{
        code: 'access_group_not_found',
        icon: IconFolderOff,
        title: t('notFound'),
        text: t('notFoundText'),
      }}
    >
      {(saved) => <FoundGroup saved={saved} back={back} />}
    </ObjectPage>
  );
}

function FoundGroup({ saved, back }: { saved: Version<AccessGroup>; back: React.ReactNode }) {
  const group = saved.data;
  const mayWrite = useMay('access-groups:write') && group.type === 'custom';
  const [editing, edit] = useDisclosure();
  const [adding, adds] = useDisclosure();
  return (
    <>
      <PageHeader
        title={group.name}
        description={group.description}
        back={back}
        actions={mayWrite && <Actions group={group} edit={edit.open} add={adds.open} />}
      />
      <GroupFacts group={group} />
      <GroupMembers group={group} mayWrite={mayWrite} add={mayWrite && <AddButton add={adds.open} />} />
      <GroupDialog opened={editing} group={saved} close={edit.close} />
      <AddMemberDialog opened={adding} group={group} close={adds.close} />
    </>
  );
}

function Actions({ group, edit, add }: { group: AccessGroup; edit: () => void; add: () => void }) {
  const t = useTexts('groups');
  return (
    <>
      <ActionButton label={t('delete')} onClick={useRemoval(group)} />
      <ActionButton label={t('edit')} onClick={edit} />
      <AddButton add={add} />
    </>
  );
}

function AddButton({ add }: { add: () => void }) {
  const t = useTexts('groups');
  return <ActionButton variant="filled" icon={IconUserPlus} label={t('addLabel')} onClick={add} />;
}

function useGroup(groupId: string) {
  const { gatehouse, keys } = useSiteApi();
  return useQuery({
    queryKey: keys.groups.one(groupId),
    queryFn: ({ signal }) => versionOf(gatehouse.accessGroups.get(groupId, { signal })),
  });
}
