import type { EmailWithContent } from '@gatehouse/client';
import { Code, Stack } from '@mantine/core';
import { replyOf, ServerReply } from '../../../components/emails/server-reply.tsx';
import { ErrorNote } from '../../../components/feedback/error-note.tsx';
import { Notice } from '../../../components/feedback/notice.tsx';
import { ActionButton } from '../../../components/layout/action-button.tsx';
import { Section } from '../../../components/layout/section.tsx';
import type { State } from '../../../components/state/state-text.tsx';
import { displayAddress } from '../../../format/addresses/email-address.ts';
import { useTexts } from '../../../languages/texts.tsx';
import { useMe } from '../../../session/me.ts';
import { useTestEmail } from './mail-query.ts';

/** Sends an email to the operator, and shows what became of it. */
export function TestEmail() {
  const t = useTexts('settings');
  const { operator } = useMe();
  const { sending, following } = useTestEmail();
  const error = sending.error ?? following.error;
  const isWaiting = sending.isPending || following.data?.status === 'waiting';
  return (
    <Section
      title={t('mailTest')}
      description={t('mailTestHelp', { email: displayAddress(operator.email) })}
      action={
        <ActionButton
          label={t('mailTestSend')}
          variant="filled"
          size="xs"
          loading={isWaiting}
          onClick={() => sending.mutate()}
        />
      }
    >
      <div role="status">{following.data && <TestResult email={following.data} />}</div>
      {error && <ErrorNote error={error} />}
    </Section>
  );
}

const states: Readonly<Record<Exclude<EmailWithContent['status'], 'not_sent'>, State>> = {
  waiting: 'neutral',
  sent: 'good',
  failed: 'bad',
};

function TestResult({ email }: { email: EmailWithContent }) {
  const t = useTexts('settings');
  const { status } = email;
  // Without a mail server, the section shows how to set one in place of this.
  if (status === 'not_sent') return null;
  const reply = replyOf(email);
  const isDelayed = status === 'waiting' && reply !== null;
  return (
    <Notice state={isDelayed ? 'attention' : states[status]}>
      <Stack gap={6} align="flex-start">
        {t(isDelayed ? 'mailTest.delayed' : `mailTest.${status}`)}
        {reply !== null && (
          <Code>
            <ServerReply reply={reply} />
          </Code>
        )}
      </Stack>
    </Notice>
  );
}
