import type { ListWebhookDeliveries, WebhookDelivery } from '@gatehouse/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { untilSent } from '../../../components/webhooks/webhook-pace.ts';
import { isAtTop, isShort, itemsOf, pageByPage, subscribeToScrolling } from '../../../queries/long-lists.ts';
import { useSiteApi } from '../../../queries/site-api.ts';
import type { WebhookSearch } from '../webhook-search.ts';

const pageSize = 25;
const idleMilliseconds = 5_000;

/** The matching attempts, newest first, page by page. The newest are refetched regularly while the reader is at the top. */
export function useDeliveries(webhookId: string, { status, type }: Pick<WebhookSearch, 'status' | 'type'>) {
  const { gatehouse, keys } = useSiteApi();
  const isReadingTop = useSyncExternalStore(subscribeToScrolling, isAtTop);
  const filter: ListWebhookDeliveries = { status, type: type as ListWebhookDeliveries['type'] };
  const deliveries = useInfiniteQuery({
    ...pageByPage,
    queryKey: keys.webhooks.deliveryList(webhookId, filter),
    queryFn: ({ pageParam, signal }) =>
      gatehouse.webhooks.deliveries
        .list(webhookId, { ...filter, after: pageParam, limit: pageSize }, { signal })
        .page(),
    refetchInterval: (query) => {
      if (!isReadingTop || !isShort(query)) return false;
      const [newest] = query.state.data?.pages ?? [];
      return Math.min(untilSent(newest?.data ?? []) || idleMilliseconds, idleMilliseconds);
    },
    select: itemsOf<WebhookDelivery>,
  });
  useReloadAfter(deliveries.data?.find(({ status: each }) => each !== 'waiting')?.id, webhookId);
  return deliveries;
}

/** Loads again what the last attempt may have changed. */
function useReloadAfter(lastDelivery: string | undefined, webhookId: string): void {
  const { keys, client } = useSiteApi();
  useEffect(() => {
    if (lastDelivery === undefined) return;
    const { one, lastSuccess, deliveryCounts } = keys.webhooks;
    for (const queryKey of [one(webhookId), lastSuccess(webhookId), deliveryCounts(webhookId)])
      void client.invalidateQueries({ queryKey });
  }, [lastDelivery]);
}
