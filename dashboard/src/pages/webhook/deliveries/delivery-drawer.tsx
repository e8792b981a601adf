import { GatehouseError, type Webhook, type WebhookDeliveryWithRequest } from '@gatehouse/client';
import { Alert, Button, Drawer, Group, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ErrorNote } from '../../../components/feedback/error-note.tsx';
import { showFailure } from '../../../components/feedback/error-notification.tsx';
import { IconAlertTriangle, IconRefresh } from '../../../components/icons/icons.ts';
import { RowsSkeleton } from '../../../components/layout/skeletons.tsx';
import { useTypeText } from '../../../components/webhooks/use-type-text.ts';
import { useDelivery } from '../../../components/webhooks/webhook-queries.ts';
import { useReturnFocus } from '../../../hooks/use-return-focus.ts';
import { useTexts } from '../../../languages/texts.tsx';
import { useSiteKeys } from '../../../queries/keys.ts';
import { useGatehouse, useMay } from '../../../session/site.ts';
import { DeliveryErrorText } from './delivery-error-text.tsx';
import { DeliveryFacts } from './delivery-facts.tsx';
import { DeliveryRequest } from './delivery-request.tsx';
import { DeliveryResponse } from './delivery-response.tsx';
import { DeliveryState } from './delivery-state.tsx';

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
  const isGone = error instanceof GatehouseError && error.code === 'webhook_delivery_not_found';
  useReturnFocus(id !== undefined);
  return (
    <Drawer
      opened={id !== undefined}
      onClose={close}
      returnFocus={false}
      position="right"
      size="xl"
      title={data ? typeText(data.type) : t('delivery')}
    >
      {data && <Content webhook={webhook} delivery={data} open={open} />}
      {!data && !error && <RowsSkeleton rows={3} />}
      {isGone && <Text>{t('deliveryNotFound')}</Text>}
      {error && !isGone && <ErrorNote error={error} retry={() => refetch()} />}
    </Drawer>
  );
}

interface ContentProps {
  webhook: Webhook;
  delivery: WebhookDeliveryWithRequest;
  open: (id: string) => void;
}

function Content({ webhook, delivery, open }: ContentProps) {
  const maySend = useMay('webhooks:write') && webhook.enabled && delivery.state !== 'waiting';
  return (
    <Stack>
      <Group justify="space-between">
        <DeliveryState state={delivery.state} />
        {maySend && <SendAgainButton delivery={delivery} open={open} />}
      </Group>
      {delivery.error && (
        <Alert color="red" variant="light" icon={<IconAlertTriangle aria-hidden />}>
          <DeliveryErrorText error={delivery.error} />
        </Alert>
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
  const keys = useSiteKeys();
  const { webhooks } = useGatehouse();
  const client = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: () => webhooks.replayDelivery(webhookId, id),
    onError: showFailure,
    onSuccess: (delivery) => {
      notifications.show({ message: t('sentAgain') });
      open(delivery.id);
      void client.invalidateQueries({ queryKey: keys.webhooks.deliveries(webhookId) });
    },
  });
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={<IconRefresh size={14} aria-hidden />}
      loading={isPending}
      onClick={() => mutate()}
    >
      {t('sendAgain')}
    </Button>
  );
}
