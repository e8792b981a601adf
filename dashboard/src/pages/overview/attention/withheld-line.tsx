import type { Overview } from '@gatehouse/client';
import { LinkButton } from '../../../components/layout/links.tsx';
import { AttentionRow } from '../../../components/page/attention-list.tsx';
import { useTexts } from '../../../languages/texts.tsx';
import { useMay } from '../../../session/site.ts';

/** Emails that were not sent because a limit was reached. */
export function WithheldLine({ withheld }: { withheld: Overview['emailsWithheld'] }) {
  const t = useTexts('attention');
  const mayReadEvents = useMay('events:read');
  const reasons = withheld.flatMap(({ budget, count }) => {
    const name = `emailsWithheld.${budget}`;
    return t.has(name) ? [t(name, { count })] : [];
  });
  return (
    <AttentionRow
      state="attention"
      title={t('emailsWithheld', { count: withheld.reduce((sum, { count }) => sum + count, 0) })}
      why={reasons.join(' · ')}
      action={
        mayReadEvents && (
          <LinkButton
            size="compact-sm"
            variant="default"
            from="/$site"
            to="/$site/events"
            search={{ type: 'email-budget.exhausted' }}
          >
            {t('seeEvents')}
          </LinkButton>
        )
      }
    />
  );
}
