import type { MailServer } from '@gatehouse/contract/dashboard';
import { Code, Stack } from '@mantine/core';
import { ServerReply } from '../../../components/emails/server-reply.tsx';
import { Hint } from '../../../components/layout/hint.tsx';
import { Section } from '../../../components/layout/section.tsx';
import { type State, StateText } from '../../../components/state/state-text.tsx';
import { Fact, Facts } from '../../../components/tables/facts.tsx';
import { TimeText } from '../../../components/time-text.tsx';
import { useTexts } from '../../../languages/texts.tsx';
import { type ConnectionStatus, connectionStatus, isPast } from './connection-status.ts';

const states: Readonly<Record<ConnectionStatus, State>> = {
  works: 'good',
  refuses: 'attention',
  fails: 'bad',
  unknown: 'neutral',
};

/** The mail server that is configured, and how it has worked for the site. */
export function MailServerState({ mailServer }: { mailServer: MailServer }) {
  const t = useTexts('settings');
  const { from, host, lastSentAt, lastFailure } = mailServer;
  const status = connectionStatus(mailServer);
  return (
    <Section title={t('mailState')}>
      <Facts>
        <Fact name={t('mailStatus')}>
          <StateText state={states[status]}>{t(`mailStatus.${status}`)}</StateText>
        </Fact>
        <Fact name={t('mailFrom')}>{from}</Fact>
        <Fact name={t('mailHost')}>{host}</Fact>
        <Fact name={t('mailLastSent')}>
          {lastSentAt === null ? t('mailNone') : <TimeText at={lastSentAt} />}
        </Fact>
        <Fact name={t('mailLastFailure')}>
          {lastFailure === null ? (
            t('mailNone')
          ) : (
            <Failure failure={lastFailure} isPast={isPast(mailServer)} />
          )}
        </Fact>
      </Facts>
    </Section>
  );
}

interface FailureProps {
  failure: NonNullable<MailServer['lastFailure']>;
  isPast: boolean;
}

/** One email that failed. It says nothing about the connection if a later one was sent. */
function Failure({ failure: { at, reply, error }, isPast }: FailureProps) {
  const t = useTexts('settings');
  return (
    <Stack gap={4} align="flex-start">
      <TimeText at={at} />
      <Code>
        <ServerReply reply={reply ?? error} />
      </Code>
      {isPast && <Hint>{t('mailFailurePast')}</Hint>}
    </Stack>
  );
}
