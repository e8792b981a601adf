import type { Email } from '@gatehouse/client';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { displayAddress } from '../../format/addresses/email-address.ts';
import { useTexts } from '../../languages/texts.tsx';
import { useSiteApi } from '../../queries/site-api.ts';
import { useMay } from '../../session/site.ts';
import { hideFailure, showFailure } from '../feedback/error-notification.tsx';
import { IconMail } from '../icons/icons.ts';
import { ActionButton } from '../layout/action-button.tsx';

/** What of an email decides whether it can be sent again. */
interface ResendableEmail {
  id: string;
  type: Email['type'];
  recipient: string;
  memberId: string | null;
  status: Email['status'];
}

interface ResendButtonProps {
  email: ResendableEmail;
  /** Whether it is one of many, so that its label names the recipient to screen readers. */
  isInRow?: boolean;
  /** Called with the id of the new email. */
  resent?: (id: string) => void;
}

/** Sends a new email in place of one that has failed. Nothing for one that cannot be sent again. */
export function ResendButton({ email, isInRow = false, resent }: ResendButtonProps) {
  const t = useTexts('emails');
  const mayResend = useMayResend(email);
  const resending = useResending(email, resent);
  if (!mayResend) return null;
  return (
    <ActionButton
      {...(isInRow
        ? { size: 'compact-sm', 'aria-label': t('resendTo', { email: displayAddress(email.recipient) }) }
        : { icon: IconMail })}
      label={t('resend')}
      loading={resending.isPending}
      onClick={() => resending.mutate()}
    />
  );
}

/** Whether it has failed, is of a type that can be made again, and the role allows to send it. */
export function useMayResend({ status, type, memberId }: ResendableEmail): boolean {
  const maySend = useMay('login-links:send');
  const mayInvite = useMay('operators:write');
  const mayInviteMembers = useMay('invitations:write', 'members:write');
  if (status !== 'failed' || !maySend) return false;
  if (type === 'login_link') return memberId !== null;
  return (type === 'invitation' && mayInvite) || (type === 'member_invitation' && mayInviteMembers);
}

function useResending({ id }: ResendableEmail, resent?: (id: string) => void) {
  const t = useTexts('emails');
  const { gatehouse, keys, client } = useSiteApi();
  return useMutation({
    mutationFn: () => gatehouse.emails.resend(id),
    onError: showFailure,
    onSuccess: async (sent) => {
      hideFailure();
      notifications.show({ message: t('resent', { email: displayAddress(sent.recipient) }) });
      resent?.(sent.id);
      await Promise.all(
        [keys.emails.all, keys.overview].map((queryKey) => client.invalidateQueries({ queryKey })),
      );
    },
  });
}
