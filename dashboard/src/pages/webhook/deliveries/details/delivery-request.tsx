import type { WebhookDeliveryWithRequest } from '@gatehouse/client';
import { Stack, Title } from '@mantine/core';
import { CodeBlock } from '../../../../components/code/code-block.tsx';
import { Hint } from '../../../../components/layout/hint.tsx';
import { useTexts } from '../../../../languages/texts.tsx';

/** What was sent: the headers as far as they are stored, and the body. */
export function DeliveryRequest({ delivery }: { delivery: WebhookDeliveryWithRequest }) {
  const t = useTexts('webhooks');
  const { requestBody } = delivery;
  return (
    <Stack component="section" gap="xs">
      <Title order={3} size="h4">
        {t('request')}
      </Title>
      <CodeBlock scrolls label={t('requestHeaders')}>
        {headersOf(delivery)}
      </CodeBlock>
      <Hint>{t('signatureNote')}</Hint>
      {requestBody === null ? (
        <Hint>{t('bodyDeleted')}</Hint>
      ) : (
        <CodeBlock scrolls label={t('requestBody')}>
          {JSON.stringify(JSON.parse(requestBody), null, 2)}
        </CodeBlock>
      )}
    </Stack>
  );
}

/** The headers of the request. The timestamp is that of the attempt, in seconds. */
function headersOf({ messageId, startedAt }: WebhookDeliveryWithRequest): string {
  const headers = [
    ['content-type', 'application/json'],
    ['user-agent', 'Gatehouse'],
    ['webhook-id', messageId],
    ...(startedAt === null ? [] : [['webhook-timestamp', Math.floor(Date.parse(startedAt) / 1_000)]]),
  ];
  return headers.map(([name, value]) => `${name}: ${value}`).join('\n');
}
