import type { LoginLink, MemberWithGroups } from '@gatehouse/client';
import { ActionIcon, Button, Menu } from '@mantine/core';
import { IconDots, IconLink, IconMail, IconTrash } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTexts } from '../../languages/texts.tsx';
import { useConfirm } from '../../parts/confirm.tsx';
import { showFailure } from '../../parts/failure.tsx';
import { useMailWaits } from '../../parts/overview.ts';
import { useGatehouse, useMay, useSite } from '../../session/site.ts';
import { LoginLinkDialog } from './login-link-dialog.tsx';
import { useMemberChange } from './member-query.ts';

/** What can be done with the member as a whole. */
export function MemberActions({ member }: { member: MemberWithGroups }) {
  const t = useTexts('member');
  const { slug } = useSite();
  const gatehouse = useGatehouse();
  const navigate = useNavigate();
  const confirm = useConfirm();
  const change = useMemberChange(member.id);
  const mailWaits = useMailWaits();
  const maySend = useMay('login-links:send');
  const mayMakeLinks = useMay('login-links:write');
  const mayWrite = useMay('members:write');
  const [link, setLink] = useState<LoginLink | null>(null);
  const [sending, setSending] = useState(false);
  const blocked = member.status === 'blocked';
  const name = member.displayName ?? member.email;

  async function send(): Promise<void> {
    setSending(true);
    await change({
      done: t(mailWaits ? 'linkWaits' : 'linkSent', { email: member.email }),
      send: () => gatehouse.members.createLoginLink(member.id),
    });
    setSending(false);
  }

  async function makeLink(): Promise<void> {
    await gatehouse.members.createLoginLink(member.id, { send: false }).then(setLink, showFailure);
  }

  async function remove(): Promise<void> {
    const question = { title: t('deleteTitle', { name }), children: t('deleteText'), confirm: t('delete') };
    if (!(await confirm(question))) return;
    const send = async () => {
      await gatehouse.members.delete(member.id);
      // Before the page asks for somebody who is no longer there.
      await navigate({ to: '/$site/members', params: { site: slug } });
    };
    await change({ done: t('deleted', { name }), send });
  }

  return (
    <>
      {maySend && (
        <Button
          variant="default"
          leftSection={<IconMail size={16} aria-hidden />}
          loading={sending}
          disabled={blocked}
          onClick={send}
        >
          {t('sendLink')}
        </Button>
      )}
      {(mayWrite || mayMakeLinks) && (
        <Menu position="bottom-end" width={260}>
          <Menu.Target>
            <ActionIcon variant="default" size={36} aria-label={t('more')}>
              <IconDots size={16} aria-hidden />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {mayMakeLinks && (
              <Menu.Item
                leftSection={<IconLink size={16} aria-hidden />}
                disabled={blocked}
                onClick={makeLink}
              >
                {t('makeLink')}
              </Menu.Item>
            )}
            {mayWrite && (
              <Menu.Item leftSection={<IconTrash size={16} aria-hidden />} color="red" onClick={remove}>
                {t('delete')}
              </Menu.Item>
            )}
          </Menu.Dropdown>
        </Menu>
      )}
      {link && <LoginLinkDialog link={link} close={() => setLink(null)} />}
    </>
  );
}
