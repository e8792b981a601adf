import type { Overview } from '@gatehouse/client';
import { Alert, Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { IconMailPause } from '../../components/icons/icons.ts';
import { language } from '../../languages/language.ts';
import { useTexts } from '../../languages/texts.tsx';
import { useMay, useSite } from '../../session/site.ts';

const timeFormat = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' });
const numberFormat = new Intl.NumberFormat(language);

/** Emails that were not sent because a limit was reached, by limit. */
export function WithheldNote({ overview: { emailsWithheld } }: { overview: Overview }) {
  const t = useTexts('overview');
  const { slug } = useSite();
  const mayReadEvents = useMay('events:read');
  if (emailsWithheld.length === 0) return null;
  const text = t('emailsWithheld', {
    count: emailsWithheld.reduce((sum, { count }) => sum + count, 0),
    time: timeFormat.format(Math.max(...emailsWithheld.map(({ lastAt }) => Date.parse(lastAt)))),
  });
  return (
    <Alert variant="light" color="orange" icon={<IconMailPause aria-hidden />}>
      {mayReadEvents ? (
        <Anchor
          renderRoot={(props) => (
            <Link
              to="/$site/events"
              params={{ site: slug }}
              search={{ type: 'email-budget.exhausted' }}
              {...props}
            />
          )}
          c="inherit"
          fw={600}
          underline="always"
        >
          {text}
        </Anchor>
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
    </Alert>
  );
}
