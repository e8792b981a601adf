import type { Webhook, WebhookDeliveryWithRequest } from '@gatehouse/client';
import { Group, Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { showFailure } from '../../../../components/feedback/error-notification.tsx';
import { Notice } from '../../../../components/feedback/notice.tsx';
import { IconRefresh } from '../../../../components/icons/icons.ts';
import { ActionButton } from '../../../../components/layout/action-button.tsx';
import { DetailsDrawer } from '../../../../components/tables/details-drawer.tsx';
import { useTypeText } from '../../../../components/webhooks/use-type-text.ts';
import { useDelivery } from '../../../../components/webhooks/webhook-queries.ts';
import { useTexts } from '../../../../languages/texts.tsx';
import { useSiteApi } from '../../../../queries/site-api.ts';
import { useMay } from '../../../../session/site.ts';
import { DeliveryErrorText } from '../delivery-error-text.tsx';
import { DeliveryResult } from '../delivery-result.tsx';
import { DeliveryState } from '../delivery-state.tsx';
import { DeliveryFacts } from './delivery-facts.tsx';
import { DeliveryRequest } from './delivery-request.tsx';
import { DeliveryResponse } from './delivery-response.tsx';

interface DeliveryDrawerProps {
  webhook: Webhook;
  id: string | undefined;
  open: (id: string) => void;
  close: () => void;
}

/** One attempt: its request, its response, and the button that sends its message again. */
export function DeliveryDrawer({ webhook, id, open, close }: DeliveryDrawerProps) {
  const t = useTexts('webhooks');
  const typeText = useTypeText();
  const { data, error, refetch } = useDelivery(webhook.id, id);
  return (
    <DetailsDrawer
      isOpen={id !== undefined}
      close={close}
      size="xl"
      title={data ? typeText(data.type) : t('delivery')}
      content={data && <Content webhook={webhook} delivery={data} open={open} />}
      error={error}
      retry={refetch}
      notFound={{ code: 'webhook_delivery_not_found', text: t('deliveryNotFound') }}
    />
  );
}

interface ContentProps {
  webhook: Webhook;
  delivery: WebhookDeliveryWithRequest;
  open: (id: string) => void;
}

function Content({ webhook, delivery, open }: ContentProps) {
  const maySend = useMay('webhooks:write', 'events:read') && webhook.enabled && delivery.status !== 'waiting';
  return (
    <Stack>
      <Group justify="space-between">
        {delivery.status === 'waiting' ? (
          <DeliveryResult delivery={delivery} webhook={webhook} />
        ) : (
          <DeliveryState state={delivery.status} />
        )}
        {maySend && <SendAgainButton delivery={delivery} open={open} />}
      </Group>
      {delivery.error && (
        <Notice state="bad">
          <DeliveryErrorText error={delivery.error} responseStatus={delivery.responseStatus} />
        </Notice>
      )}
      <DeliveryFacts delivery={delivery} />
      <DeliveryResponse delivery={delivery} />
      <DeliveryRequest delivery={delivery} />
    </Stack>
  );
}

/** Sends the message once more, and shows what becomes of it. */
function SendAgainButton({ delivery: { id, webhookId }, open }: Omit<ContentProps, 'webhook'>) {
  const t = useTexts('webhooks');
  const { gatehouse, keys, client } = useSiteApi();
  const { mutate, isPending } = useMutation({
    mutationFn: () => gatehouse.webhooks.deliveries.replay(webhookId, id),
    onError: showFailure,
    onSuccess: (delivery) => {
      notifications.show({ message: t('sentAgain') });
      open(delivery.id);
      void client.invalidateQueries({ queryKey: keys.webhooks.deliveries(webhookId) });
    },
  });
  return (
    <ActionButton
      icon={IconRefresh}
      label={t('sendAgain')}
      size="xs"
      loading={isPending}
      onClick={() => mutate()}
    />
  );
}
