import { Select } from '@mantine/core';
import { eventTypes } from '../../../components/events/event-icons.ts';
import { Toolbar } from '../../../components/layout/toolbar.tsx';
import { useTypeText } from '../../../components/webhooks/use-type-text.ts';
import { useTexts } from '../../../languages/texts.tsx';
import { deliveryStates, type WebhookSearch } from '../webhook-search.ts';

const testType = 'webhook.test';

interface DeliveryFiltersProps {
  search: WebhookSearch;
  /** The types of the events that are sent; null for all. */
  types: readonly string[] | null;
  change: (changes: Partial<WebhookSearch>) => void;
}

/** The filters of the deliveries. */
export function DeliveryFilters({ search, types, change }: DeliveryFiltersProps) {
  const t = useTexts('webhooks');
  const typeText = useTypeText();
  // One that is not sent any more may still be in the list.
  const offered = [testType, ...(types ?? eventTypes), ...(search.type ? [search.type] : [])];
  return (
    <search aria-label={t('filters')}>
      <Toolbar>
        <Select
          size="xs"
          aria-label={t('deliveryState')}
          placeholder={t('anyState')}
          value={search.status ?? null}
          onChange={(state) => change({ status: (state ?? undefined) as WebhookSearch['status'] })}
          data={deliveryStates.map((state) => ({ value: state, label: t(`delivery.${state}`) }))}
          clearable
        />
        <Select
          size="xs"
          aria-label={t('message')}
          placeholder={t('anyMessage')}
          value={search.type ?? null}
          onChange={(type) => change({ type: type ?? undefined })}
          data={[...new Set(offered)].map((type) => ({ value: type, label: typeText(type) }))}
          nothingFoundMessage={t('noType')}
          searchable
          clearable
        />
      </Toolbar>
    </search>
  );
}
