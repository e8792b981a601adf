import { GatehouseError, type MailWithContent } from '@gatehouse/client';
import { Code, Drawer, Stack, Text, Title } from '@mantine/core';
import { useTexts } from '../../languages/texts.tsx';
import { shownAddress } from '../../parts/address.ts';
import { ErrorNote } from '../../parts/error-note.tsx';
import { Fact, Facts } from '../../parts/facts.tsx';
import { RowsSkeleton } from '../../parts/skeletons.tsx';
import { TimeText } from '../../parts/time-text.tsx';
import { useMay } from '../../session/site.ts';
import { MailState } from './mail-state.tsx';
import classes from './mails.module.css';
import { useMail } from './mails-query.ts';

/** One mail: what became of it, and what it says, for those who may read it. */
export function MailDrawer({ id, close }: { id: string; close: () => void }) {
  const t = useTexts('mails');
  const { data, error, refetch } = useMail(id);
  const isGone = error instanceof GatehouseError && error.code === 'mail_not_found';
  return (
    <Drawer opened onClose={close} position="right" size="lg" title={data?.subject ?? t('title')}>
      {data && <Content mail={data} />}
      {!data && !error && <RowsSkeleton rows={3} />}
      {isGone && <Text>{t('gone')}</Text>}
      {error && !isGone && <ErrorNote error={error} retry={refetch} />}
    </Drawer>
  );
}

function Content({ mail }: { mail: MailWithContent }) {
  const t = useTexts('mails');
  const mayRead = useMay('login-links:write');
  return (
    <Stack>
      <Stack gap={4} align="flex-start">
        <MailState state={mail.state} />
        <Text c="dimmed">{t(`help.${mail.state}`)}</Text>
      </Stack>
      <MailFacts mail={mail} />
      <div>
        <Title order={3} size="h4" mb="xs">
          {t('text')}
        </Title>
        {mail.text === null ? (
          <Text c="dimmed">{t(mayRead ? 'textGone' : 'textHidden')}</Text>
        ) : (
          <Code block className={classes.text!}>
            {mail.text}
          </Code>
        )}
      </div>
    </Stack>
  );
}

function MailFacts({
  mail: { recipient, createdAt, sentAt, attempts, nextAttemptAt, lastError },
}: {
  mail: MailWithContent;
}) {
  const t = useTexts('mails');
  return (
    <Facts>
      <Fact name={t('detail.to')}>{shownAddress(recipient)}</Fact>
      <Fact name={t('detail.written')}>
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
