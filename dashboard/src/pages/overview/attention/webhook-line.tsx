import { LinkButton } from '../../../components/layout/links.tsx';
import { AttentionRow } from '../../../components/page/attention-list.tsx';
import { TimeText } from '../../../components/time-text.tsx';
import { useTexts } from '../../../languages/texts.tsx';
import type { FailingWebhook } from './needs.ts';

/** A webhook whose receiver fails, or which was disabled for that. */
export function WebhookLine({ webhook }: { webhook: FailingWebhook }) {
  const t = useTexts('attention');
  const { id, host, description, status, disabledReason, failingSince } = webhook;
  const isFailing = status === 'failing';
  const time = failingSince !== null && <TimeText at={failingSince} as="clock" />;
  const reason = t(disabledReason === 'gone' ? 'webhookGone' : 'webhookGaveUp');
  return (
    <AttentionRow
      state="bad"
      title={t(isFailing ? 'webhookFailing' : 'webhookDisabled', { name: description || host })}
      why={isFailing ? t.rich('failingSince', { time }) : reason}
      action={
        <LinkButton
          size="compact-sm"
          variant="default"
          from="/$site"
          to="/$site/webhooks/$webhookId"
          params={{ webhookId: id }}
        >
          {t('seeDeliveries')}
        </LinkButton>
      }
    />
  );
}
