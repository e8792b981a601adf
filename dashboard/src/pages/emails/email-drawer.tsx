import { type EmailWithContent, GatehouseError } from '@gatehouse/client';
import { Code, Drawer, Stack, Text, Title } from '@mantine/core';
import { ErrorNote } from '../../components/feedback/error-note.tsx';
import { Fact, Facts } from '../../components/layout/facts.tsx';
import { RowsSkeleton } from '../../components/layout/skeletons.tsx';
import { TimeText } from '../../components/time-text.tsx';
import { displayAddress } from '../../format/addresses/email-address.ts';
import { useReturnFocus } from '../../hooks/use-return-focus.ts';
import { useTexts } from '../../languages/texts.tsx';
import { useMay } from '../../session/site.ts';
import { EmailState } from './email-state.tsx';
import classes from './emails.module.css';
import { useEmail } from './emails-query.ts';

/** One email: its status and, for operators who may read it, its content. */
export function EmailDrawer({ id, close }: { id: string | undefined; close: () => void }) {
  const t = useTexts('emails');
  const { data, error, refetch } = useEmail(id);
  const isGone = error instanceof GatehouseError && error.code === 'email_not_found';
  useReturnFocus(id !== undefined);
  return (
    <Drawer
      opened={id !== undefined}
      onClose={close}
      returnFocus={false}
      position="right"
      size="lg"
      title={data?.subject ?? t('title')}
    >
      {data && <Content email={data} />}
      {!data && !error && <RowsSkeleton rows={3} />}
      {isGone && <Text>{t('notFound')}</Text>}
      {error && !isGone && <ErrorNote error={error} retry={refetch} />}
    </Drawer>
  );
}

function Content({ email }: { email: EmailWithContent }) {
  const t = useTexts('emails');
  const mayRead = useMay('login-links:write');
  return (
    <Stack>
      <Stack gap={4} align="flex-start">
        <EmailState state={email.state} />
        <Text c="dimmed">{t(`help.${email.state}`)}</Text>
      </Stack>
      <EmailFacts email={email} />
      <div>
        <Title order={3} size="h4" mb="xs">
          {t('text')}
        </Title>
        {email.text === null ? (
          <Text c="dimmed">{t(mayRead ? 'textDeleted' : 'textHidden')}</Text>
        ) : (
          <Code block className={classes.text!}>
            {email.text}
          </Code>
        )}
      </div>
    </Stack>
  );
}

function EmailFacts({
  email: { recipient, createdAt, sentAt, attempts, nextAttemptAt, lastError },
}: {
  email: EmailWithContent;
}) {
  const t = useTexts('emails');
  return (
    <Facts>
      <Fact name={t('detail.to')}>{displayAddress(recipient)}</Fact>
      <Fact name={t('detail.created')}>
        <TimeText at={createdAt} as="full" />
      </Fact>
      {sentAt !== null && (
        <Fact name={t('detail.sent')}>
          <TimeText at={sentAt} as="full" />
        </Fact>
      )}
      {attempts > 0 && <Fact name={t('detail.attempts')}>{attempts}</Fact>}
      {nextAttemptAt !== null && (
        <Fact name={t('detail.next')}>
          <TimeText at={nextAttemptAt} />
        </Fact>
      )}
      {lastError !== null && (
        <Fact name={t('detail.error')}>
          <Code>{lastError}</Code>
        </Fact>
      )}
    </Facts>
  );
}
