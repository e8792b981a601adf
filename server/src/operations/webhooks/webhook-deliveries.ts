import { grants } from '@gatehouse/contract/permissions';
import {
  findDelivery,
  listDeliveries,
  replayDelivery,
  requestTest,
} from '../../domain/webhooks/deliveries/deliveries.ts';
import { isFiltered, type OperationHandlers, page } from '../operation-handler.ts';

export const webhookDeliveryHandlers = {
  listWebhookDeliveries: {
    readsMany: isFiltered,
    handle: (view, { params, query }) => page(listDeliveries(view, params.webhookId, query)),
  },

  getWebhookDelivery: async (view, { params }) => {
    const delivery = await findDelivery(view, params.webhookId, params.deliveryId);
    const mayReadEvents = grants(view.permissions, 'events:read');
    return { body: { data: mayReadEvents ? delivery : { ...delivery, requestBody: null } } };
  },

  testWebhook: async ({ change, apiUrl }, { params }) => {
    const delivery = await requestTest(change, params.webhookId);
    return { body: { data: delivery }, location: locationOf(apiUrl, delivery) };
  },

  replayWebhookDelivery: async ({ change, apiUrl }, { params }) => {
    const delivery = await replayDelivery(change, params.webhookId, params.deliveryId);
    return { body: { data: delivery }, location: locationOf(apiUrl, delivery) };
  },
} satisfies OperationHandlers;

function locationOf(apiUrl: string, { id, webhookId }: { id: string; webhookId: string }): string {
  return `${apiUrl}/webhooks/${webhookId}/deliveries/${id}`;
}
