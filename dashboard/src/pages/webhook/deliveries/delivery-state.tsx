import type { WebhookDelivery } from '@gatehouse/client';
import { type State, StateText } from '../../../components/state/state-text.tsx';
import { useTexts } from '../../../languages/texts.tsx';

export const deliveryStates: Readonly<Record<WebhookDelivery['status'], State>> = {
  waiting: 'attention',
  succeeded: 'good',
  failed: 'bad',
};

/** The state of an attempt. */
export function DeliveryState({ state }: { state: WebhookDelivery['status'] }) {
  const t = useTexts('webhooks');
  return (
    <StateText state={deliveryStates[state] ?? 'neutral'}>
      {t.has(`delivery.${state}`) ? t(`delivery.${state}`) : state}
    </StateText>
  );
}
