import type { Email } from '@gatehouse/client';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { hideFailure, showFailure } from '../../components/feedback/error-notification.tsx';
import { IconMail } from '../../components/icons/icons.ts';
import { ActionButton } from '../../components/layout/action-button.tsx';
import { displayAddress } from '../../format/addresses/email-address.ts';
import { useTexts } from '../../languages/texts.tsx';
import { useSiteApi } from '../../queries/site-api.ts';
import { useMay } from '../../session/site.ts';

/** Sends a new email in place of one that has failed, and opens it. Nothing for one that cannot be sent again. */
export function ResendButton({ email, open }: { email: Email; open: (id: string) => void }) {
  const t = useTexts('emails');
  const maySend = useMay('login-links:send');
  const mayInvite = useMay('operators:write');
  const mayInviteMembers = useMay('invitations:write', 'members:write');
  const resending = useResending(email, open);
  const isLink = email.type === 'login_link' && email.memberId !== null;
  const isInvitation =
    (email.type === 'invitation' && mayInvite) || (email.type === 'member_invitation' && mayInviteMembers);
  if (email.status !== 'failed' || !maySend || !(isLink || isInvitation)) return null;
  return (
    <ActionButton
      icon={IconMail}
      label={t('resend')}
      loading={resending.isPending}
      onClick={() => resending.mutate()}
    />
  );
}

function useResending({ id }: Email, open: (id: string) => void) {
  const t = useTexts('emails');
  const { gatehouse, keys, client } = useSiteApi();
  return useMutation({
    mutationFn: () => gatehouse.emails.resend(id),
    onError: showFailure,
    onSuccess: async (sent) => {
      hideFailure();
      notifications.show({ message: t('resent', { email: displayAddress(sent.recipient) }) });
      open(sent.id);
      await client.invalidateQueries({ queryKey: keys.emails.all });
    },
  });
}
