import type { WebhookDelivery } from '@gatehouse/client';
import { Stack, Text, Title } from '@mantine/core';
import { useTexts } from '../../../languages/texts.tsx';
import { CodeBlock, Remark } from './code-block.tsx';

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
        <Remark>{t('noResponse')}</Remark>
      ) : (
        <Text>{t('status', { number: String(responseStatus) })}</Text>
      )}
      {responseBody ? (
        <CodeBlock label={t('responseBody')}>{responseBody}</CodeBlock>
      ) : (
        responseStatus !== null && <Remark>{t('emptyResponse')}</Remark>
      )}
    </Stack>
  );
}
