import type { Webhook } from '@gatehouse/client';
import { Group, Text } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { QueryState } from '../../../components/feedback/query-state.tsx';
import { QuietButton } from '../../../components/layout/action-button.tsx';
import { Section } from '../../../components/layout/section.tsx';
import rows from '../../../components/tables/pressable-rows.module.css';
import { useTexts } from '../../../languages/texts.tsx';
import { useMay } from '../../../session/site.ts';
import type { WebhookSearch } from '../webhook-search.ts';
import { useDeliveries } from './deliveries-query.ts';
import { DeliveryDrawer } from './delivery-drawer.tsx';
import { DeliveryFilters } from './delivery-filters.tsx';
import { DeliveryRow } from './delivery-row.tsx';

/** What was sent, and what became of it. The URL contains the filters and the open delivery. */
export function DeliveriesSection({ webhook }: { webhook: Webhook }) {
  const t = useTexts('webhooks');
  const search = useSearch({ from: '/$site/webhooks/$webhookId' });
  const navigate = useNavigate({ from: '/$site/webhooks/$webhookId' });
  const deliveries = useDeliveries(webhook.id, search);
  const { data } = deliveries;
  const change = (changes: Partial<WebhookSearch>) =>
    void navigate({
      search: (before) => ({ ...before, ...changes }),
      replace: !('delivery' in changes),
      resetScroll: false,
    });
  const mayTest = useMay('webhooks:write') && webhook.enabled;
  const isFiltered = search.status !== undefined || search.type !== undefined;
  return (
    <Section title={t('deliveries')} description={t('deliveriesText')}>
      <DeliveryFilters search={search} types={webhook.eventTypes} change={change} />
      {data && data.length > 0 && (
        <ul className={rows.rows} aria-label={t('deliveries')}>
          {data.map((delivery) => (
            <li key={delivery.id}>
              <DeliveryRow delivery={delivery} open={() => change({ delivery: delivery.id })} />
            </li>
          ))}
        </ul>
      )}
      {data?.length === 0 && isFiltered && <NoMatch clear={() => change(noFilter)} />}
      {data?.length === 0 && !isFiltered && (
        <Text c="dimmed">
          {t('noDelivery')} {mayTest && t('tryIt')}
        </Text>
      )}
      <QueryState query={deliveries} rows={3} />
      <DeliveryDrawer
        webhook={webhook}
        id={search.delivery}
        open={(delivery) => change({ delivery })}
        close={() => change({ delivery: undefined })}
      />
    </Section>
  );
}

const noFilter = { status: undefined, type: undefined } satisfies Partial<WebhookSearch>;

function NoMatch({ clear }: { clear: () => void }) {
  const t = useTexts('webhooks');
  return (
    <Group>
      <Text c="dimmed">{t('noMatch')}</Text>
      <QuietButton label={t('clear')} onClick={clear} />
    </Group>
  );
}
