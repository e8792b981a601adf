import type { LoginLink } from '@gatehouse/client';
import { SecretText } from '../../../components/credentials/secret-text.tsx';
import { Dialog } from '../../../components/layout/dialog.tsx';
import { Hint } from '../../../components/layout/hint.tsx';
import { TimeText } from '../../../components/time-text.tsx';
import { useTexts } from '../../../languages/texts.tsx';

/** Shows a login link to pass on by other means than email. */
export function LoginLinkDialog({ link, close }: { link: LoginLink | null; close: () => void }) {
  const t = useTexts('member');
  return (
    <Dialog opened={link !== null} onClose={close} title={t('linkTitle')} size="lg">
      {link && <LinkText link={link} />}
    </Dialog>
  );
}

function LinkText({ link }: { link: LoginLink }) {
  const t = useTexts('member');
  return (
    <SecretText secret={link.url ?? ''} label={t('linkTitle')} warning={t('linkText')}>
      <Hint size="xs">{t.rich('linkUntil', { time: <TimeText at={link.expiresAt} as="full" /> })}</Hint>
    </SecretText>
  );
}
