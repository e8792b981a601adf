import type { WebhookDelivery } from '@gatehouse/client';
import { Badge } from '@mantine/core';
import { useTexts } from '../../../languages/texts.tsx';

const colors: Record<WebhookDelivery['status'], string> = {
  waiting: 'yellow',
  succeeded: 'teal',
  failed: 'red',
};

/** The state of an attempt as a colored dot with a word. */
export function DeliveryState({ state }: { state: WebhookDelivery['status'] }) {
  const t = useTexts('webhooks');
  return (
    <Badge variant="dot" color={colors[state] ?? 'gray'} tt="none">
      {t.has(`delivery.${state}`) ? t(`delivery.${state}`) : state}
    </Badge>
  );
}
