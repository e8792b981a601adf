import type { Invitation } from '@gatehouse/client';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { IconMail, IconPencil } from '../../components/icons/icons.ts';
import { invitationName } from '../../components/invitations/invitation-name.ts';
import { ActionButton } from '../../components/layout/action-button.tsx';
import { Dialog } from '../../components/layout/dialog.tsx';
import { displayAddress } from '../../format/addresses/email-address.ts';
import { useUndoable } from '../../hooks/use-undoable.tsx';
import { useTexts } from '../../languages/texts.tsx';
import { useSiteKeys } from '../../queries/keys.ts';
import { useEmailWaits } from '../../queries/overview.ts';
import type { Version } from '../../queries/version.ts';
import { useGatehouse, useMay } from '../../session/site.ts';
import { EditForm } from './edit-form.tsx';

/** What operators do with one invitation that still works. */
export function InvitationActions({ saved }: { saved: Version<Invitation> }) {
  const t = useTexts('invitations');
  const mayWrite = useMay('invitations:write', 'members:write');
  const [editing, { open, close }] = useDisclosure();
  const { revoke } = useInvitationChanges(saved.data);
  const { status, email } = saved.data;
  if (!mayWrite || status === 'revoked') return null;
  const isActive = status === 'active';
  return (
    <>
      {isActive && <ActionButton label={t('revoke')} onClick={revoke} />}
      <ActionButton icon={IconPencil} label={t('edit')} onClick={open} />
      {isActive && email !== null && <SendAgain invitation={saved.data} />}
      <Dialog opened={editing} onClose={close} title={t('editTitle')} size="lg">
        <EditForm loaded={saved} close={close} />
      </Dialog>
    </>
  );
}

function SendAgain({ invitation }: { invitation: Invitation }) {
  const t = useTexts('invitations');
  const { sendAgain } = useInvitationChanges(invitation);
  const [sending, setSending] = useState(false);
  return (
    <ActionButton
      icon={IconMail}
      label={t(invitation.sentAt === null ? 'send' : 'sendAgain')}
      loading={sending}
      onClick={async () => {
        setSending(true);
        await sendAgain();
        setSending(false);
      }}
    />
  );
}

function useInvitationChanges(invitation: Invitation) {
  const t = useTexts('invitations');
  const { invitations } = useGatehouse();
  const keys = useSiteKeys();
  const change = useUndoable();
  const emailWaits = useEmailWaits();
  const { id, email } = invitation;
  const name = invitationName(t('everyone'), invitation);
  const invalidates = [keys.invitations.all, keys.emails.all, keys.events.all];
  return {
    revoke: () =>
      change({
        question: {
          title: t('revokeTitle', { name }),
          children: t(email === null ? 'revokeText' : 'revokeTextAddress'),
          confirm: t('revoke'),
        },
        done: t('wasRevoked'),
        send: () => invitations.revoke(id),
        invalidates,
      }),
    sendAgain: () =>
      change({
        done: t(emailWaits ? 'sendWaits' : 'wasSent', { email: displayAddress(email ?? '') }),
        send: () => invitations.send(id),
        invalidates,
      }),
  };
}
