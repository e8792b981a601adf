import type { Webhook, WebhookDelivery } from '@gatehouse/client';
import { Text } from '@mantine/core';
import { CellButton } from '../../../components/tables/cell-button.tsx';
import { DataCell, type DataColumn, DataRow, DataTable } from '../../../components/tables/data-table.tsx';
import { TimeText } from '../../../components/time-text.tsx';
import { useTypeText } from '../../../components/webhooks/use-type-text.ts';
import { useTexts } from '../../../languages/texts.tsx';
import { DeliveryObjectText } from './delivery-object-text.tsx';
import { DeliveryResult } from './delivery-result.tsx';
import { durationText } from './duration.ts';

interface DeliveryTableProps {
  webhook: Webhook;
  deliveries: readonly WebhookDelivery[];
  /** The one that is open. */
  openId: string | undefined;
  open: (id: string) => void;
}

/** The attempts to deliver messages. A row opens its request and its response. */
export function DeliveryTable({ webhook, deliveries, openId, open }: DeliveryTableProps) {
  const t = useTexts('webhooks');
  const columns: DataColumn[] = [
    { name: 'message', title: t('message') },
    { name: 'object', title: t('object') },
    { name: 'response', title: t('response'), width: 200 },
    { name: 'duration', title: t('duration'), width: 96, align: 'end', from: 'md' },
    { name: 'time', title: t('time'), width: 128, align: 'end' },
  ];
  return (
    <DataTable label={t('deliveries')} columns={columns}>
      {deliveries.map((delivery) => (
        <DeliveryRow
          key={delivery.id}
          webhook={webhook}
          delivery={delivery}
          isOpen={delivery.id === openId}
          open={() => open(delivery.id)}
        />
      ))}
    </DataTable>
  );
}

interface DeliveryRowProps {
  webhook: Webhook;
  delivery: WebhookDelivery;
  isOpen: boolean;
  open: () => void;
}

function DeliveryRow({ webhook, delivery, isOpen, open }: DeliveryRowProps) {
  const t = useTexts('webhooks');
  const typeText = useTypeText();
  const { type, object, trigger, attempt, durationMilliseconds, startedAt } = delivery;
  const facts = [
    trigger === 'replay' && t('kind.replay'),
    attempt > 1 && t('attempt', { number: attempt }),
  ].filter(Boolean);
  return (
    <DataRow isActive={isOpen} onOpen={open}>
      <DataCell title={[typeText(type), ...facts].join(' · ')}>
        <CellButton onClick={open}>{typeText(type)}</CellButton>
        <Text component="span" c="dimmed" ms="xs">
          {facts.join(' · ')}
        </Text>
      </DataCell>
      <DataCell title={object?.name ?? undefined}>
        {object && <DeliveryObjectText object={object} />}
      </DataCell>
      <DataCell>
        <DeliveryResult delivery={delivery} webhook={webhook} />
      </DataCell>
      <DataCell quiet align="end">
        {durationMilliseconds !== null && durationText(durationMilliseconds)}
      </DataCell>
      <DataCell quiet align="end">
        {startedAt !== null && <TimeText at={startedAt} />}
      </DataCell>
    </DataRow>
  );
}
