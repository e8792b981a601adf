import type { UpdateWebhook, Webhook, WebhookDelivery } from '@gatehouse/client';
import { maxPageSize } from '@gatehouse/contract/limits';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useSiteKeys } from '../../queries/keys.ts';
import { toVersion, type Version } from '../../queries/version.ts';
import { useGatehouse } from '../../session/site.ts';

const soonMilliseconds = 500;
const idleMilliseconds = 10_000;

/** All webhooks of the site, newest first, with their present state. */
export function useWebhooks() {
  const keys = useSiteKeys();
  const gatehouse = useGatehouse();
  return useQuery({
    queryKey: keys.webhooks.list,
    queryFn: ({ signal }) => Array.fromAsync(gatehouse.webhooks.list({ limit: maxPageSize }, { signal })),
    refetchInterval: idleMilliseconds,
  });
}

/** One webhook, more often while events are being sent again. */
export function useWebhook(webhookId: string) {
  const keys = useSiteKeys();
  const gatehouse = useGatehouse();
  return useQuery({
    queryKey: keys.webhooks.one(webhookId),
    queryFn: async ({ signal }): Promise<Version<Webhook>> =>
      toVersion(await gatehouse.webhooks.get(webhookId, { signal }).withResponse()),
    refetchInterval: ({ state: { data } }) => (data?.data.replay ? soonMilliseconds : idleMilliseconds),
  });
}

/** The last attempt that succeeded; null if there is none, undefined while that is not known. */
export function useLastSuccess(webhookId: string): WebhookDelivery | null | undefined {
  const keys = useSiteKeys();
  const gatehouse = useGatehouse();
  const { data } = useQuery({
    queryKey: keys.webhooks.lastSuccess(webhookId),
    queryFn: async ({ signal }) => {
      const filter = { state: 'succeeded', limit: 1 } as const;
      const { data } = await gatehouse.webhooks.deliveries(webhookId, filter, { signal }).page();
      return data[0] ?? null;
    },
    refetchInterval: idleMilliseconds,
  });
  return data;
}

/** One attempt with its request; often while it is about to be sent. */
export function useDelivery(webhookId: string, deliveryId: string | undefined) {
  const keys = useSiteKeys();
  const gatehouse = useGatehouse();
  return useQuery({
    queryKey: keys.webhooks.delivery(webhookId, deliveryId),
    queryFn: ({ signal }) => gatehouse.webhooks.delivery(webhookId, deliveryId!, { signal }),
    enabled: deliveryId !== undefined,
    refetchInterval: ({ state: { data } }) => untilSent(data ? [data] : []),
  });
}

/** When attempts that wait are looked at again; false if none waits. */
export function untilSent(deliveries: readonly WebhookDelivery[]): number | false {
  const waiting = deliveries.filter(({ state }) => state === 'waiting');
  if (waiting.length === 0) return false;
  return waiting.some(isSoon) ? soonMilliseconds : idleMilliseconds;
}

function isSoon({ dueAt }: WebhookDelivery): boolean {
  return dueAt !== null && Date.parse(dueAt) - Date.now() < idleMilliseconds;
}

/** Changes a webhook, and updates what is cached of it. */
export function useSaveWebhook(): (
  webhookId: string,
  changes: UpdateWebhook,
  etag?: string,
) => Promise<Webhook> {
  const keys = useSiteKeys();
  const { webhooks } = useGatehouse();
  const client = useQueryClient();
  return async (webhookId, changes, etag) => {
    const options = etag === undefined ? {} : { ifMatch: etag };
    const saved = toVersion(await webhooks.update(webhookId, changes, options).withResponse());
    client.setQueryData(keys.webhooks.one(webhookId), saved);
    void client.invalidateQueries({ queryKey: keys.webhooks.list });
    void client.invalidateQueries({ queryKey: keys.overview });
    return saved.data;
  };
}
