import type { WebhookDelivery } from '@gatehouse/client';
import { Text } from '@mantine/core';
import { CellButton } from '../../../components/tables/cell-button.tsx';
import { DataCell, type DataColumn, DataRow, DataTable } from '../../../components/tables/data-table.tsx';
import { TimeText } from '../../../components/time-text.tsx';
import { useTypeText } from '../../../components/webhooks/use-type-text.ts';
import { useTexts } from '../../../languages/texts.tsx';
import { DeliveryErrorText } from './delivery-error-text.tsx';
import { DeliveryState } from './delivery-state.tsx';
import { durationText } from './duration.ts';

interface DeliveryTableProps {
  deliveries: readonly WebhookDelivery[];
  /** The one that is open. */
  openId: string | undefined;
  open: (id: string) => void;
}

/** The attempts to deliver messages. A row opens its request and its response. */
export function DeliveryTable({ deliveries, openId, open }: DeliveryTableProps) {
  const t = useTexts('webhooks');
  const columns: DataColumn[] = [
    { name: 'message', title: t('message') },
    { name: 'state', title: t('deliveryState'), width: 120 },
    { name: 'response', title: t('response') },
    { name: 'duration', title: t('duration'), width: 96, align: 'end', from: 'sm' },
    { name: 'time', title: t('time'), width: 128, align: 'end' },
  ];
  return (
    <DataTable label={t('deliveries')} columns={columns}>
      {deliveries.map((delivery) => (
        <DeliveryRow
          key={delivery.id}
          delivery={delivery}
          isOpen={delivery.id === openId}
          open={() => open(delivery.id)}
        />
      ))}
    </DataTable>
  );
}

interface DeliveryRowProps {
  delivery: WebhookDelivery;
  isOpen: boolean;
  open: () => void;
}

function DeliveryRow({ delivery, isOpen, open }: DeliveryRowProps) {
  const t = useTexts('webhooks');
  const typeText = useTypeText();
  const { type, trigger, attempt, status, durationMilliseconds, startedAt, dueAt } = delivery;
  const facts = [
    trigger === 'replay' && t('kind.replay'),
    attempt > 1 && t('attempt', { number: attempt }),
  ].filter(Boolean);
  // When it was sent, or will be.
  const at = startedAt ?? dueAt;
  return (
    <DataRow isActive={isOpen} onOpen={open}>
      <DataCell title={[typeText(type), ...facts].join(' · ')}>
        <CellButton onClick={open}>{typeText(type)}</CellButton>
        <Text component="span" c="dimmed" ms="xs">
          {facts.join(' · ')}
        </Text>
      </DataCell>
      <DataCell>
        <DeliveryState state={status} />
      </DataCell>
      <ResponseCell delivery={delivery} />
      <DataCell quiet align="end">
        {durationMilliseconds !== null && durationText(durationMilliseconds)}
      </DataCell>
      <DataCell quiet align="end">
        {at === null ? '–' : <TimeText at={at} />}
      </DataCell>
    </DataRow>
  );
}

/** The status of the response, or why there is none. */
function ResponseCell({ delivery: { responseStatus, error } }: { delivery: WebhookDelivery }) {
  const t = useTexts('webhooks');
  if (error === null)
    return (
      <DataCell quiet>{responseStatus !== null && t('status', { number: String(responseStatus) })}</DataCell>
    );
  return (
    <DataCell>
      <Text span inherit c="var(--mantine-color-error)">
        <DeliveryErrorText error={error} responseStatus={responseStatus} />
      </Text>
    </DataCell>
  );
}
