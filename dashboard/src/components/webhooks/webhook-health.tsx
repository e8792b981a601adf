import type { Webhook, WebhookDelivery } from '@gatehouse/client';
import { webhookDeliveryDays } from '@gatehouse/contract/limits';
import { useTexts } from '../../languages/texts.tsx';
import { TimeText } from '../time-text.tsx';
import { stateOfWebhook } from './webhook-state.tsx';

/** Deliveries are stored for so long: what succeeded before is not known. */
const storedMilliseconds = webhookDeliveryDays * 86_400_000;

interface WebhookHealthProps {
  webhook: Webhook;
  /** The last attempt that succeeded; undefined while it is not known. */
  lastSuccess: WebhookDelivery | null | undefined;
}

/** How a webhook works, in a sentence. */
export function WebhookHealth({ webhook, lastSuccess }: WebhookHealthProps) {
  const t = useTexts('webhooks');
  const { disabledReason, failingSince, createdAt } = webhook;
  const since = failingSince !== null && <TimeText at={failingSince} as="clock" />;
  switch (stateOfWebhook(webhook, lastSuccess)) {
    case 'disabled':
      return t('health.disabled');
    case 'stopped':
      return t(disabledReason === 'gone' ? 'health.gone' : 'health.gaveUp');
    case 'failing':
      return t.rich('health.failing', { time: since });
    case 'retrying':
      return t.rich('health.retrying', { time: since });
    case 'idle':
      return t(Date.now() - Date.parse(createdAt) < storedMilliseconds ? 'health.first' : 'health.idle');
    case 'active':
      return (
        lastSuccess?.startedAt && t.rich('health.active', { time: <TimeText at={lastSuccess.startedAt} /> })
      );
  }
}
