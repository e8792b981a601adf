import type { WebhookDelivery } from '@gatehouse/client';
import { Stack, Text, Title } from '@mantine/core';
import { CodeBlock } from '../../../../components/code/code-block.tsx';
import { Hint } from '../../../../components/layout/hint.tsx';
import { useTexts } from '../../../../languages/texts.tsx';

/** What the receiver answered: its status and the beginning of its body. */
export function DeliveryResponse({ delivery }: { delivery: WebhookDelivery }) {
  const t = useTexts('webhooks');
  const { status, responseStatus, responseBody } = delivery;
  if (status === 'waiting') return null;
  return (
    <Stack component="section" gap="xs">
      <Title order={3} size="h4">
        {t('response')}
      </Title>
      {responseStatus === null ? (
        <Hint>{t('noResponse')}</Hint>
      ) : (
        <Text>{t('status', { number: String(responseStatus) })}</Text>
      )}
      {responseBody ? (
        <CodeBlock scrolls label={t('responseBody')}>
          {responseBody}
        </CodeBlock>
      ) : (
        responseStatus !== null && <Hint>{t('emptyResponse')}</Hint>
      )}
    </Stack>
  );
}
