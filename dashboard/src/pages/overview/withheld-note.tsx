import type { Overview } from '@gatehouse/client';
import { Text } from '@mantine/core';
import { Notice } from '../../components/feedback/notice.tsx';
import { IconMailPause } from '../../components/icons/icons.ts';
import { LinkText } from '../../components/layout/links.tsx';
import { language } from '../../languages/language.ts';
import { useTexts } from '../../languages/texts.tsx';
import { useMay } from '../../session/site.ts';

const timeFormat = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' });
const numberFormat = new Intl.NumberFormat(language);

/** Emails that were not sent because a limit was reached, by limit. */
export function WithheldNote({ overview: { emailsWithheld } }: { overview: Overview }) {
  const t = useTexts('overview');
  const mayReadEvents = useMay('events:read');
  if (emailsWithheld.length === 0) return null;
  const text = t('emailsWithheld', {
    count: emailsWithheld.reduce((sum, { count }) => sum + count, 0),
    time: timeFormat.format(Math.max(...emailsWithheld.map(({ lastAt }) => Date.parse(lastAt)))),
  });
  return (
    <Notice state="attention" icon={IconMailPause}>
      {mayReadEvents ? (
        <LinkText
          from="/$site"
          to="/$site/events"
          search={{ type: 'email-budget.exhausted' }}
          c="inherit"
          fw={600}
          underline="always"
        >
          {text}
        </LinkText>
      ) : (
        text
      )}
      {emailsWithheld.map(({ budget, count }) => {
        const name = `emailsWithheld.${budget}`;
        return (
          t.has(name) && (
            <Text key={budget} size="sm">
              {t(name, { count: numberFormat.format(count) })}
            </Text>
          )
        );
      })}
    </Notice>
  );
}
