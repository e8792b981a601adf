import type { WebhookDelivery } from '@gatehouse/client';
import { Group, Loader, Stack, Text } from '@mantine/core';
import { ErrorNote } from '../../components/feedback/error-note.tsx';
import { Notice } from '../../components/feedback/notice.tsx';
import { ActionButton } from '../../components/layout/action-button.tsx';
import { DialogFooter } from '../../components/layout/dialog.tsx';
import { useDelivery } from '../../components/webhooks/webhook-queries.ts';
import { useTexts } from '../../languages/texts.tsx';
import { DeliveryErrorText } from './deliveries/delivery-error-text.tsx';
import { DeliveryResponse } from './deliveries/details/delivery-response.tsx';

/** What became of a test, as soon as that is known. */
export function TestResult({ sent, close }: { sent: WebhookDelivery; close: () => void }) {
  const t = useTexts('webhooks');
  const { data, error, refetch } = useDelivery(sent.webhookId, sent.id);
  const delivery = data ?? sent;
  return (
    <Stack>
      <div role="status">
        {error ? <ErrorNote error={error} retry={() => refetch()} /> : <Result delivery={delivery} />}
      </div>
      {delivery.status !== 'waiting' && <DeliveryResponse delivery={delivery} />}
      <DialogFooter>
        <ActionButton label={t('done')} onClick={close} />
      </DialogFooter>
    </Stack>
  );
}

function Result({ delivery: { status, error, responseStatus } }: { delivery: WebhookDelivery }) {
  const t = useTexts('webhooks');
  if (status === 'waiting')
    return (
      <Group gap="sm">
        <Loader size="sm" aria-hidden />
        <Text>{t('testWaits')}</Text>
      </Group>
    );
  if (status === 'succeeded') return <Notice state="good">{t('testSucceeded')}</Notice>;
  return (
    <Notice state="bad" title={t('testFailed')}>
      {error && <DeliveryErrorText error={error} responseStatus={responseStatus} />}
    </Notice>
  );
}
