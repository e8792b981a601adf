import { Tabs } from '@mantine/core';
import { NotAllowed } from '../../components/feedback/not-allowed.tsx';
import {
  IconClipboardText,
  IconFileSpreadsheet,
  IconMailPlus,
  IconUserPlus,
} from '../../components/icons/icons.ts';
import { BackLink } from '../../components/layout/links.tsx';
import { PageHeader } from '../../components/layout/page-header.tsx';
import { useTexts } from '../../languages/texts.tsx';
import { useMay } from '../../session/site.ts';
import { DropFile } from './file/drop-file.tsx';
import { InvitePanel } from './invite/invite-panel.tsx';
import { useMayInvite } from './invite/use-may-invite.ts';
import { OneMember } from './one-member.tsx';
import { PastedMembers } from './pasted-members.tsx';

/** Adds members: one, a pasted list, or a file. Others are invited. */
export function AddPage() {
  const t = useTexts('add');
  const mayInvite = useMayInvite();
  if (!useMay('members:write')) {
    return (
      <NotAllowed
        title={t('notAllowed')}
        needs={['members:write']}
        back={<BackLink to="/$site/members">{t('back')}</BackLink>}
      />
    );
  }
  return (
    <>
      <PageHeader
        title={t('title')}
        description={t('description')}
        back={<BackLink to="/$site/members">{t('back')}</BackLink>}
      />
      <Tabs defaultValue="one" keepMounted>
        <Tabs.List mb="md">
          <Tabs.Tab value="one" leftSection={<IconUserPlus size={16} aria-hidden />}>
            {t('tabOne')}
          </Tabs.Tab>
          <Tabs.Tab value="paste" leftSection={<IconClipboardText size={16} aria-hidden />}>
            {t('tabPaste')}
          </Tabs.Tab>
          <Tabs.Tab value="file" leftSection={<IconFileSpreadsheet size={16} aria-hidden />}>
            {t('tabFile')}
          </Tabs.Tab>
          {mayInvite && (
            <Tabs.Tab value="invite" leftSection={<IconMailPlus size={16} aria-hidden />}>
              {t('tabInvite')}
            </Tabs.Tab>
          )}
        </Tabs.List>
        <Tabs.Panel value="one">
          <OneMember />
        </Tabs.Panel>
        <Tabs.Panel value="paste">
          <PastedMembers />
        </Tabs.Panel>
        <Tabs.Panel value="file">
          <DropFile />
        </Tabs.Panel>
        {mayInvite && (
          <Tabs.Panel value="invite">
            <InvitePanel />
          </Tabs.Panel>
        )}
      </Tabs>
    </>
  );
}
