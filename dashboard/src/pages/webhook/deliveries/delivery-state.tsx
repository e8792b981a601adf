import type { WebhookDelivery } from '@gatehouse/client';
import { Badge } from '@mantine/core';
import { useTexts } from '../../../languages/texts.tsx';

const colours: Record<WebhookDelivery['state'], string> = {
  waiting: 'yellow',
  succeeded: 'teal',
  failed: 'red',
};

/** The state of an attempt as a colored dot with a word. */
export function DeliveryState({ state }: { state: WebhookDelivery['state'] }) {
  const t = useTexts('webhooks');
  return (
    <Badge variant="dot" color={colours[state] ?? 'gray'} tt="none">
      {t.has(`delivery.${state}`) ? t(`delivery.${state}`) : state}
    </Badge>
  );
}
