import type { LoginLink, MemberWithGroups } from '@gatehouse/client';
import { loginLinkLifetimeMinutes } from '@gatehouse/contract/limits';
import { ActionIcon, Group, Menu } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { showFailure } from '../../../components/feedback/error-notification.tsx';
import { IconDots, IconLink, IconMail, IconTicket, IconTrash } from '../../../components/icons/icons.ts';
import { ActionButton } from '../../../components/layout/action-button.tsx';
import { inviteMember, isInvitable } from '../../../components/members/invite-members.ts';
import { useMemberChange } from '../../../components/members/use-member-change.ts';
import { displayAddress } from '../../../format/addresses/email-address.ts';
import { useMenuTarget } from '../../../hooks/use-menu-target.ts';
import { useTexts } from '../../../languages/texts.tsx';
import { useEmailWaits } from '../../../queries/overview.ts';
import { useSiteApi } from '../../../queries/site-api.ts';
import { useWasInvited } from '../../../queries/ways-in/invitations.ts';
import { useGatehouse, useMay, useSite } from '../../../session/site.ts';
import { BlockButton } from './block-button.tsx';
import { LoginLinkDialog } from './login-link-dialog.tsx';

/** The actions for the whole member. */
export function MemberActions({ member }: { member: MemberWithGroups }) {
  const maySend = useMay('login-links:send');
  const mayMakeLinks = useMay('login-links:send', 'login-links:write');
  const mayWrite = useMay('members:write');
  const mayBlock = useMay('members:block');
  const mayInvite = useMay('invitations:write', 'members:write');
  return (
    <>
      {mayInvite && isInvitable(member) && <InviteButton member={member} />}
      {maySend && <SendLinkButton member={member} />}
      <Group gap="xs" wrap="nowrap">
        {mayBlock && <BlockButton member={member} />}
        {(mayWrite || mayMakeLinks) && (
          <MoreActions member={member} mayWrite={mayWrite} mayMakeLinks={mayMakeLinks} />
        )}
      </Group>
    </>
  );
}

function SendLinkButton({ member: { id, email, status } }: { member: MemberWithGroups }) {
  const t = useTexts('member');
  const gatehouse = useGatehouse();
  const change = useMemberChange(id);
  const emailQueued = useEmailWaits();
  const [sending, setSending] = useState(false);

  async function send(): Promise<void> {
    setSending(true);
    await change({
      done: emailQueued
        ? t('linkWaits', { email })
        : t('linkSent', { email, minutes: loginLinkLifetimeMinutes }),
      send: () => gatehouse.members.loginLinks.create(id),
    });
    setSending(false);
  }

  return (
    <ActionButton
      icon={IconMail}
      label={t('sendLink')}
      loading={sending}
      disabled={status === 'blocked'}
      onClick={send}
    />
  );
}

function InviteButton({ member: { id, email } }: { member: MemberWithGroups }) {
  const t = useTexts('member');
  const gatehouse = useGatehouse();
  const change = useMemberChange(id);
  const emailWaits = useEmailWaits();
  const { client, keys } = useSiteApi();
  const { data: wasInvited } = useWasInvited(email);
  const [sending, setSending] = useState(false);

  async function send(): Promise<void> {
    setSending(true);
    await change({
      done: t(emailWaits ? 'inviteWaits' : 'invited', { email: displayAddress(email) }),
      send: () => inviteMember(gatehouse, email),
    });
    setSending(false);
    await client.invalidateQueries({ queryKey: keys.invitations.all });
  }

  return (
    <ActionButton
      icon={IconTicket}
      label={t(wasInvited ? 'inviteAgain' : 'invite')}
      loading={sending}
      onClick={send}
    />
  );
}

interface MoreActionsProps {
  member: MemberWithGroups;
  mayWrite: boolean;
  mayMakeLinks: boolean;
}

function MoreActions({ member, mayWrite, mayMakeLinks }: MoreActionsProps) {
  const t = useTexts('member');
  const gatehouse = useGatehouse();
  const remove = useRemoval(member);
  const menu = useMenuTarget();
  const [link, setLink] = useState<LoginLink | null>(null);
  const makeLink = () =>
    void gatehouse.members.loginLinks.create(member.id, { send: false }).then(setLink, showFailure);
  return (
    <>
      <Menu position="bottom-end" width={260}>
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label={t('more')} ref={menu.target}>
            <IconDots size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {mayMakeLinks && (
            <Menu.Item
              leftSection={<IconLink size={16} aria-hidden />}
              disabled={member.status === 'blocked'}
              onClick={menu.act(makeLink)}
            >
              {t('makeLink')}
            </Menu.Item>
          )}
          {mayWrite && (
            <Menu.Item
              leftSection={<IconTrash size={16} aria-hidden />}
              color="red"
              onClick={menu.act(() => void remove())}
            >
              {t('delete')}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <LoginLinkDialog link={link} close={() => setLink(null)} />
    </>
  );
}

function useRemoval({ id, displayName, email }: MemberWithGroups): () => Promise<void> {
  const t = useTexts('member');
  const { slug } = useSite();
  const gatehouse = useGatehouse();
  const navigate = useNavigate();
  const change = useMemberChange(id);
  const name = displayName ?? email;
  return async () => {
    const question = { title: t('deleteTitle', { name }), children: t('deleteText'), confirm: t('delete') };
    const send = async () => {
      await gatehouse.members.delete(id);
      // Before the page requests a member who no longer exists.
      await navigate({ to: '/$site/members', params: { site: slug } });
    };
    await change({ question, done: t('deleted', { name }), send });
  };
}
