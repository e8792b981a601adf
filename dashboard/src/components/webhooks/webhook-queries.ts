import type { UpdateWebhook, Webhook, WebhookDelivery } from '@gatehouse/client';
import { maxPageSize } from '@gatehouse/contract/limits';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSiteApi } from '../../queries/site-api.ts';
import { versionOf } from '../../queries/version.ts';
import { idleMilliseconds, replayPace, untilSent } from './webhook-pace.ts';

/** All webhooks of the site, newest first, with their present state. */
export function useWebhooks() {
  const { gatehouse, keys } = useSiteApi();
  return useQuery({
    queryKey: keys.webhooks.list,
    queryFn: ({ signal }) => Array.fromAsync(gatehouse.webhooks.list({ limit: maxPageSize }, { signal })),
    refetchInterval: idleMilliseconds,
  });
}

/** One webhook, more often while the progress of a replay moves. */
export function useWebhook(webhookId: string) {
  const { gatehouse, keys } = useSiteApi();
  const [untilProgress] = useState(replayPace);
  return useQuery({
    queryKey: keys.webhooks.one(webhookId),
    queryFn: ({ signal }) => versionOf(gatehouse.webhooks.get(webhookId, { signal })),
    refetchInterval: ({ state: { data } }) => untilProgress(data?.data.replay ?? null),
  });
}

/** The last attempt that succeeded; null if there is none, undefined while that is not known. */
export function useLastSuccess(webhookId: string): WebhookDelivery | null | undefined {
  const { gatehouse, keys } = useSiteApi();
  const { data } = useQuery({
    queryKey: keys.webhooks.lastSuccess(webhookId),
    queryFn: async ({ signal }) => {
      const filter = { status: 'succeeded', limit: 1 } as const;
      const { data } = await gatehouse.webhooks.deliveries.list(webhookId, filter, { signal }).page();
      return data[0] ?? null;
    },
    refetchInterval: idleMilliseconds,
  });
  return data;
}

/** One attempt with its request; often while it is about to be sent. */
export function useDelivery(webhookId: string, deliveryId: string | undefined) {
  const { gatehouse, keys } = useSiteApi();
  return useQuery({
    queryKey: keys.webhooks.delivery(webhookId, deliveryId),
    queryFn: ({ signal }) => gatehouse.webhooks.deliveries.get(webhookId, deliveryId!, { signal }),
    enabled: deliveryId !== undefined,
    refetchInterval: ({ state: { data } }) => untilSent(data ? [data] : []),
  });
}

/** Changes a webhook, and updates what is cached of it. */
export function useSaveWebhook(): (
  webhookId: string,
  changes: UpdateWebhook,
  etag?: string,
) => Promise<Webhook> {
  const { gatehouse, keys, client } = useSiteApi();
  return async (webhookId, changes, etag) => {
    const saved = await versionOf(gatehouse.webhooks.update(webhookId, changes, { ifMatch: etag }));
    client.setQueryData(keys.webhooks.one(webhookId), saved);
    void client.invalidateQueries({ queryKey: keys.webhooks.list });
    void client.invalidateQueries({ queryKey: keys.overview });
    return saved.data;
  };
}
