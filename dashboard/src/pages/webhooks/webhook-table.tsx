import type { Webhook } from '@gatehouse/client';
import { useNavigate } from '@tanstack/react-router';
import { LinkText } from '../../components/layout/links.tsx';
import { DataCell, type DataColumn, DataRow, DataTable } from '../../components/tables/data-table.tsx';
import { WebhookAddress } from '../../components/webhooks/webhook-address.tsx';
import { WebhookHealth } from '../../components/webhooks/webhook-health.tsx';
import { webhookName } from '../../components/webhooks/webhook-name.ts';
import { useLastSuccess } from '../../components/webhooks/webhook-queries.ts';
import { stateOfWebhook, WebhookStateText } from '../../components/webhooks/webhook-state.tsx';
import { useTexts } from '../../languages/texts.tsx';

/** Webhooks, each with its address, what it gets, and whether it works. */
export function WebhookTable({ webhooks }: { webhooks: readonly Webhook[] }) {
  const t = useTexts('webhooks');
  const columns: DataColumn[] = [
    { name: 'webhook', title: t('webhook') },
    { name: 'state', title: t('deliveryState'), width: 112 },
    { name: 'lastDelivery', title: t('lastDelivery'), width: 240 },
    { name: 'url', title: t('url'), from: 'sm' },
    { name: 'events', title: t('events'), from: 'md', width: 200 },
  ];
  return (
    <DataTable label={t('title')} columns={columns}>
      {webhooks.map((webhook) => (
        <WebhookRow key={webhook.id} webhook={webhook} />
      ))}
    </DataTable>
  );
}

function WebhookRow({ webhook }: { webhook: Webhook }) {
  const navigate = useNavigate({ from: '/$site/webhooks' });
  const lastSuccess = useLastSuccess(webhook.id);
  const page = { to: '/$site/webhooks/$webhookId', params: { webhookId: webhook.id } } as const;
  const name = webhookName(webhook);
  return (
    <DataRow onOpen={() => void navigate(page)}>
      <DataCell title={name}>
        <LinkText from="/$site" {...page} c="inherit" fw={500}>
          {name}
        </LinkText>
      </DataCell>
      <DataCell>
        {lastSuccess !== undefined && <WebhookStateText state={stateOfWebhook(webhook, lastSuccess)} />}
      </DataCell>
      <DataCell quiet>
        <WebhookHealth webhook={webhook} lastSuccess={lastSuccess} />
      </DataCell>
      <DataCell>
        <WebhookAddress url={webhook.url} />
      </DataCell>
      <EventsCell webhook={webhook} />
    </DataRow>
  );
}

function EventsCell({ webhook: { eventTypes, groupIds, content } }: { webhook: Webhook }) {
  const t = useTexts('webhooks');
  const facts = [
    eventTypes ? t('typeCount', { count: eventTypes.length }) : t('events.all'),
    groupIds && t('groupCount', { count: groupIds.length }),
    content === 'ids' && t('content.ids'),
  ].filter(Boolean);
  return (
    <DataCell quiet title={facts.join(' · ')}>
      {facts.join(' · ')}
    </DataCell>
  );
}
