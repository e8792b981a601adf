import type { WebhookDelivery } from '@gatehouse/client';
import { Text } from '@mantine/core';
import { useTexts } from '../../../languages/texts.tsx';

/** Why an attempt failed and what to do next. A code that this version does not know has an English message. */
export function DeliveryErrorText({ error }: { error: NonNullable<WebhookDelivery['error']> }) {
  const t = useTexts('webhooks');
  const name = `error.${error.code}`;
  return t.has(name) ? (
    t(name)
  ) : (
    <Text inherit component="span" lang="en">
      {error.message}
    </Text>
  );
}
