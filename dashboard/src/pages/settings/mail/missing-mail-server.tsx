import { Anchor, Code, Text } from '@mantine/core';
import { Notice } from '../../../components/feedback/notice.tsx';
import { LinkText } from '../../../components/layout/links.tsx';
import { useTexts } from '../../../languages/texts.tsx';

/** What is set where Gatehouse runs, so that emails are sent. */
export function MissingMailServer() {
  const t = useTexts('settings');
  const shell = useTexts('shell');
  return (
    <Notice state="attention" title={t('mailMissing')}>
      <Text size="sm">
        {t.rich('mailMissingText', {
          smtp: <Code>GATEHOUSE_SMTP_URL</Code>,
          from: <Code>GATEHOUSE_MAIL_FROM</Code>,
          emails: (
            <LinkText from="/$site" to="/$site/emails" inherit underline="always">
              {shell('emails')}
            </LinkText>
          ),
        })}
      </Text>
      <Anchor size="sm" href="/help/settings.html#email" target="_blank" underline="always">
        {t('mailGuide')}
      </Anchor>
    </Notice>
  );
}
