import type { Webhook } from '@gatehouse/client';
import { Group } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { QueryState } from '../../../components/feedback/query-state.tsx';
import { QuietButton } from '../../../components/layout/action-button.tsx';
import { Hint } from '../../../components/layout/hint.tsx';
import { Section } from '../../../components/layout/section.tsx';
import { useTexts } from '../../../languages/texts.tsx';
import { useMay } from '../../../session/site.ts';
import { DeliverySuccess } from '../success/delivery-success.tsx';
import type { WebhookSearch } from '../webhook-search.ts';
import { useDeliveries } from './deliveries-query.ts';
import { DeliveryFilters } from './delivery-filters.tsx';
import { DeliveryTable } from './delivery-table.tsx';
import { DeliveryDrawer } from './details/delivery-drawer.tsx';

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
      <DeliverySuccess webhookId={webhook.id} />
      <DeliveryFilters search={search} types={webhook.eventTypes} change={change} />
      {data && data.length > 0 && (
        <DeliveryTable
          webhook={webhook}
          deliveries={data}
          openId={search.delivery}
          open={(delivery) => change({ delivery })}
        />
      )}
      {data?.length === 0 && isFiltered && <NoMatch clear={() => change(noFilter)} />}
      {data?.length === 0 && !isFiltered && (
        <Hint>
          {t('noDelivery')} {mayTest && t('tryIt')}
        </Hint>
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
      <Hint>{t('noMatch')}</Hint>
      <QuietButton label={t('clear')} onClick={clear} />
    </Group>
  );
}
