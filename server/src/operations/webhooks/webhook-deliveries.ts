import type { WebhookDelivery } from '@gatehouse/contract';
import { grants } from '@gatehouse/contract/permissions';
import {
  countDeliveries,
  findDelivery,
  listDeliveries,
  replayDelivery,
  requestTest,
} from '../../domain/webhooks/deliveries/deliveries.ts';
import type { StoredDelivery } from '../../domain/webhooks/deliveries/delivery.ts';
import { data, isFiltered, type OperationContext, type OperationHandlers } from '../operation-handler.ts';
import { findDeliveryObjects } from './delivery-objects.ts';

export const webhookDeliveryHandlers = {
  listWebhookDeliveries: {
    readsMany: isFiltered,
    handle: async (view, { params, query }) => {
      const { data, pagination } = await listDeliveries(view, params.webhookId, query);
      return { body: { data: await show(view, data), pagination } };
    },
  },

  getWebhookDeliveryCounts: {
    readsMany: () => true,
    handle: (view, { params, query }) => data(countDeliveries(view, params.webhookId, query.timeZone)),
  },

  getWebhookDelivery: async (view, { params }) => {
    const { delivery, requestBody } = await findDelivery(view, params.webhookId, params.deliveryId);
    const mayReadEvents = grants(view.permissions, 'events:read');
    const shown = await showOne(view, delivery);
    return { body: { data: { ...shown, requestBody: mayReadEvents ? requestBody : null } } };
  },

  testWebhook: async (context, { params }) => {
    const delivery = await requestTest(context.change, params.webhookId);
    return { body: { data: await showOne(context, delivery) }, location: locationOf(context, delivery) };
  },

  replayWebhookDelivery: async (context, { params }) => {
    const delivery = await replayDelivery(context.change, params.webhookId, params.deliveryId);
    return { body: { data: await showOne(context, delivery) }, location: locationOf(context, delivery) };
  },
} satisfies OperationHandlers;

function locationOf({ apiUrl }: OperationContext, { id, webhookId }: StoredDelivery): string {
  return `${apiUrl}/webhooks/${webhookId}/deliveries/${id}`;
}

async function showOne(view: OperationContext, delivery: StoredDelivery): Promise<WebhookDelivery> {
  const [shown] = await show(view, [delivery]);
  return shown!;
}

async function show(
  view: OperationContext,
  deliveries: readonly StoredDelivery[],
): Promise<WebhookDelivery[]> {
  const objects = await findDeliveryObjects(view, deliveries);
  return deliveries.map(({ position, endedAt: _, ...delivery }) => {
    const object = position === null ? undefined : objects.get(position);
    // The type was stored as that of an event or a test.
    return { ...delivery, object: object ?? null } as WebhookDelivery;
  });
}
