import type { Overview } from '@gatehouse/client';
import { maxFailedEmails } from '@gatehouse/contract/limits';
import { useState } from 'react';
import { QuietButton } from '../../../components/layout/action-button.tsx';
import { Card } from '../../../components/layout/card.tsx';
import { Hint } from '../../../components/layout/hint.tsx';
import { LinkText } from '../../../components/layout/links.tsx';
import { AttentionList } from '../../../components/page/attention-list.tsx';
import { StateText } from '../../../components/state/state-text.tsx';
import { useTexts } from '../../../languages/texts.tsx';
import { NeedLine } from './need-line.tsx';
import { keyOf, type Need, needsOf } from './needs.ts';
import { useDelay } from './use-delay.ts';

const shownAtFirst = 6;

/** Everything that needs a person, in one place. */
export function AttentionCard({ overview }: { overview: Overview }) {
  const t = useTexts('attention');
  const delay = useDelay(overview.emailsWaiting > 0 && overview.setUp.email);
  const needs = needsOf(overview, delay);
  if (needs.length === 0) return <NothingNote />;
  return (
    <Card
      title={t('title')}
      action={overview.failedEmails?.length === maxFailedEmails && <FailedEmailsLink />}
    >
      <NeedList needs={needs} />
    </Card>
  );
}

function NothingNote() {
  const t = useTexts('attention');
  return (
    <Hint>
      <StateText state="good">{t('nothing')}</StateText>
    </Hint>
  );
}

function NeedList({ needs }: { needs: readonly Need[] }) {
  const t = useTexts('attention');
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? needs : needs.slice(0, shownAtFirst);
  const more = needs.length - shown.length;
  return (
    <>
      <AttentionList label={t('title')}>
        {shown.map((need) => (
          <NeedLine key={keyOf(need)} need={need} />
        ))}
      </AttentionList>
      {more > 0 && <QuietButton label={t('more', { count: more })} onClick={() => setWhole(true)} />}
    </>
  );
}

/** There may be more than the overview has. */
function FailedEmailsLink() {
  const t = useTexts('attention');
  return (
    <LinkText from="/$site" to="/$site/emails" search={{ status: 'failed' }} size="sm">
      {t('allFailed')}
    </LinkText>
  );
}
