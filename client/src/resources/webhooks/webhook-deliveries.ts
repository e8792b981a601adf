import type { Call } from '../../http/call.ts';
import type { List } from '../../http/list.ts';
import type { CallOptions, CreateOptions } from '../../http/options.ts';
import type {
  GetWebhookDeliveryCounts,
  ListWebhookDeliveries,
  WebhookDelivery,
  WebhookDeliveryCounts,
  WebhookDeliveryWithRequest,
} from '../../types.ts';
import { Resource } from '../resource.ts';

/** The attempts to send a message to a webhook. */
export class WebhookDeliveries extends Resource {
  /** The attempts of the last 7 days and those that wait, newest first. */
  list(webhookId: string, filter: ListWebhookDeliveries = {}, options?: CallOptions): List<WebhookDelivery> {
    return this.paginate('listWebhookDeliveries', { params: { webhookId }, query: filter }, options);
  }

  /** An attempt, with the body of its request. */
  get(webhookId: string, deliveryId: string, options?: CallOptions): Call<WebhookDeliveryWithRequest> {
    return this.call('getWebhookDelivery', { params: { webhookId, deliveryId } }, options);
  }

  /** How many attempts of the last 7 days have succeeded and failed, by day. */
  count(
    webhookId: string,
    filter: GetWebhookDeliveryCounts = {},
    options?: CallOptions,
  ): Call<WebhookDeliveryCounts> {
    return this.call('getWebhookDeliveryCounts', { params: { webhookId }, query: filter }, options);
  }

  /** Sends the message of an attempt once more. */
  replay(webhookId: string, deliveryId: string, options?: CreateOptions): Call<WebhookDelivery> {
    return this.call('replayWebhookDelivery', { params: { webhookId, deliveryId } }, options);
  }
}
