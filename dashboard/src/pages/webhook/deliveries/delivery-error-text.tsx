import type { WebhookDelivery } from '@gatehouse/client';
import { Text } from '@mantine/core';
import { useTexts } from '../../../languages/texts.tsx';

interface DeliveryErrorTextProps {
  error: NonNullable<WebhookDelivery['error']>;
  responseStatus: number | null;
}

/** Why an attempt failed and what to do next. A code that this version does not know has an English message. */
export function DeliveryErrorText({ error, responseStatus }: DeliveryErrorTextProps) {
  const t = useTexts('webhooks');
  const name = `error.${error.code}`;
  return t.has(name) ? (
    t(name, { status: String(responseStatus) })
  ) : (
    <Text inherit component="span" lang="en">
      {error.message}
    </Text>
  );
}
