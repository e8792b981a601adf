import type { FailedEmail } from '@gatehouse/client';
import { Suspense, useState } from 'react';
import { ResendButton, useMayResend } from '../../../components/emails/resend-button.tsx';
import { replyOf, ServerReply } from '../../../components/emails/server-reply.tsx';
import { Hint } from '../../../components/layout/hint.tsx';
import { LinkButton, LinkText } from '../../../components/layout/links.tsx';
import { AttentionRow } from '../../../components/page/attention-list.tsx';
import { displayAddress } from '../../../format/addresses/email-address.ts';
import { useTexts } from '../../../languages/texts.tsx';
import { useMay } from '../../../session/site.ts';

/** An email that could not be sent, with what the mail server said and a link to the member. */
export function FailedEmailLine({ email }: { email: FailedEmail }) {
  const t = useTexts('attention');
  const { type } = email;
  const name = `emailFailed.${type}`;
  const reply = replyOf(email);
  return (
    <AttentionRow
      state="bad"
      title={t.rich(t.has(name) ? name : 'emailFailed', { email: <Recipient email={email} /> })}
      why={reply !== null && <ServerReply reply={reply} />}
      action={<Action email={email} />}
    />
  );
}

/** The email address, as a link to the member, where it can be corrected. */
function Recipient({ email: { recipient, memberId } }: { email: FailedEmail }) {
  const mayRead = useMay('members:read');
  const shown = displayAddress(recipient);
  if (memberId === null || !mayRead) return shown;
  return (
    <LinkText from="/$site" to="/$site/members/$memberId" params={{ memberId }} inherit>
      {shown}
    </LinkText>
  );
}

function Action({ email }: { email: FailedEmail }) {
  const t = useTexts('attention');
  const [isResent, setResent] = useState(false);
  const failed = { ...email, status: 'failed' } as const;
  if (!useMayResend(failed))
    return (
      <LinkButton
        size="compact-sm"
        variant="default"
        from="/$site"
        to="/$site/emails"
        search={{ email: email.id }}
      >
        {t('open')}
      </LinkButton>
    );
  // The line stays until the new email has been sent.
  if (isResent) return <Hint>{t('resent')}</Hint>;
  return (
    <Suspense>
      <ResendButton email={failed} isInRow resent={() => setResent(true)} />
    </Suspense>
  );
}
