import type { Webhook, WebhookDelivery } from '@gatehouse/client';
import { StateText } from '../../../components/state/state-text.tsx';
import { TimeText } from '../../../components/time-text.tsx';
import { useTexts } from '../../../languages/texts.tsx';
import { attemptTime } from './attempt-time.ts';
import { deliveryStates } from './delivery-state.tsx';

interface DeliveryResultProps {
  delivery: WebhookDelivery;
  webhook: Webhook;
}

/** The code of the response, why there is none in a few words, or when the next attempt is made. */
export function DeliveryResult({ delivery, webhook }: DeliveryResultProps) {
  const state = deliveryStates[delivery.status] ?? 'neutral';
  return (
    <StateText state={state}>
      {delivery.status === 'waiting' ? (
        <NextAttempt delivery={delivery} webhook={webhook} />
      ) : (
        <Answer delivery={delivery} />
      )}
    </StateText>
  );
}

function Answer({ delivery: { responseStatus, error, status } }: Pick<DeliveryResultProps, 'delivery'>) {
  const t = useTexts('webhooks');
  const name = `short.${error?.code}`;
  if (error && error.code !== 'status' && t.has(name)) return t(name);
  if (responseStatus !== null) return String(responseStatus);
  return t.has(`delivery.${status}`) ? t(`delivery.${status}`) : status;
}

function NextAttempt({ delivery, webhook }: DeliveryResultProps) {
  const t = useTexts('webhooks');
  const isRetry = delivery.attempt > 1;
  const at = attemptTime(delivery, webhook, Date.now());
  if (at === null) return t(isRetry ? 'retrySoon' : 'delivery.waiting');
  return t.rich(isRetry ? 'retryAt' : 'sendsAt', { time: <TimeText at={at} /> });
}
