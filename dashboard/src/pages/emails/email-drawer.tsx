import type { EmailWithContent } from '@gatehouse/client';
import { Code, Stack, Text, Title } from '@mantine/core';
import { CodeBlock } from '../../components/code/code-block.tsx';
import { ResendButton } from '../../components/emails/resend-button.tsx';
import { ServerReply } from '../../components/emails/server-reply.tsx';
import { DetailsDrawer } from '../../components/tables/details-drawer.tsx';
import { Fact, Facts } from '../../components/tables/facts.tsx';
import { TimeText } from '../../components/time-text.tsx';
import { useTexts } from '../../languages/texts.tsx';
import { useMay } from '../../session/site.ts';
import { EmailState } from './email-state.tsx';
import { Recipient } from './email-table.tsx';
import { useEmail } from './emails-query.ts';

interface EmailDrawerProps {
  id: string | undefined;
  close: () => void;
  /** Opens another email. */
  open: (id: string) => void;
}

/** One email: its status and, for operators who may read it, its content. A failed one can be sent again. */
export function EmailDrawer({ id, close, open }: EmailDrawerProps) {
  const t = useTexts('emails');
  const { data, error, refetch } = useEmail(id);
  return (
    <DetailsDrawer
      isOpen={id !== undefined}
      close={close}
      size="lg"
      title={data?.subject ?? t('title')}
      content={data && <Content email={data} open={open} />}
      error={error}
      retry={refetch}
      notFound={{ code: 'email_not_found', text: t('notFound') }}
    />
  );
}

function Content({ email, open }: { email: EmailWithContent; open: (id: string) => void }) {
  const t = useTexts('emails');
  const mayRead = useMay('login-links:write');
  return (
    <Stack>
      <Stack gap={4} align="flex-start">
        <EmailState state={email.status} />
        <Text c="dimmed">{t(`help.${email.status}`)}</Text>
      </Stack>
      <EmailFacts email={email} />
      <ResendButton email={email} resent={open} />
      <div>
        <Title order={3} size="h4" mb="xs">
          {t('text')}
        </Title>
        {email.text === null ? (
          <Text c="dimmed">{t(mayRead ? 'textDeleted' : 'textHidden')}</Text>
        ) : (
          <CodeBlock>{email.text}</CodeBlock>
        )}
      </div>
    </Stack>
  );
}

function EmailFacts({ email }: { email: EmailWithContent }) {
  const t = useTexts('emails');
  const { createdAt, sentAt, attempts, nextAttemptAt, lastError, mailServerReply } = email;
  return (
    <Facts>
      <Fact name={t('detail.to')}>
        <Recipient email={email} />
      </Fact>
      <Fact name={t('detail.created')}>
        <TimeText at={createdAt} as="full" />
      </Fact>
      <Fact name={t('detail.sent')}>{sentAt !== null && <TimeText at={sentAt} as="full" />}</Fact>
      <Fact name={t('detail.attempts')}>{attempts > 0 && attempts}</Fact>
      <Fact name={t('detail.next')}>{nextAttemptAt !== null && <TimeText at={nextAttemptAt} />}</Fact>
      <Fact name={t('detail.error')}>
        {lastError !== null && (
          <Code>
            <ServerReply reply={lastError} />
          </Code>
        )}
      </Fact>
      <Fact name={t('detail.reply')}>
        {mailServerReply !== null && (
          <Code>
            <ServerReply reply={mailServerReply} />
          </Code>
        )}
      </Fact>
    </Facts>
  );
}
