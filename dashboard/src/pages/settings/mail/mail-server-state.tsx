import type { MailServer } from '@gatehouse/contract/dashboard';
import { Code } from '@mantine/core';
import { ServerReply } from '../../../components/emails/server-reply.tsx';
import { Section } from '../../../components/layout/section.tsx';
import { Fact, Facts } from '../../../components/tables/facts.tsx';
import { TimeText } from '../../../components/time-text.tsx';
import { useTexts } from '../../../languages/texts.tsx';

/** The mail server that is configured, and how it has worked for the site. */
export function MailServerState({ mailServer }: { mailServer: MailServer }) {
  const t = useTexts('settings');
  const { from, host, lastSentAt, lastFailure } = mailServer;
  return (
    <Section title={t('mailState')}>
      <Facts>
        <Fact name={t('mailFrom')}>{from}</Fact>
        <Fact name={t('mailHost')}>{host}</Fact>
        <Fact name={t('mailLastSent')}>
          {lastSentAt === null ? t('mailNone') : <TimeText at={lastSentAt} />}
        </Fact>
        <Fact name={t('mailLastFailure')}>
          {lastFailure === null ? t('mailNone') : <TimeText at={lastFailure.at} />}
        </Fact>
        {lastFailure && (
          <Fact name={t('mailReply')}>
            <Code>
              <ServerReply reply={lastFailure.reply ?? lastFailure.error} />
            </Code>
          </Fact>
        )}
      </Facts>
    </Section>
  );
}
