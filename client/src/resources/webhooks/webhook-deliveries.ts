import { type Call, dataOf, toCall, whole } from '../../http/call.ts';
import type { Connection } from '../../http/connection.ts';
import { List } from '../../http/list.ts';
import type { CallOptions, CreateOptions } from '../../http/options.ts';
import type { ListWebhookDeliveries, WebhookDelivery, WebhookDeliveryWithRequest } from '../../types.ts';

/** The attempts to send a message to a webhook. */
export class WebhookDeliveries {
  readonly #connection: Connection;

  /** @internal */
  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** The attempts of the last 7 days and those that wait, newest first. */
  list(webhookId: string, filter: ListWebhookDeliveries = {}, options?: CallOptions): List<WebhookDelivery> {
    return new List(filter.after, (after) =>
      toCall(
        this.#connection.send(
          'listWebhookDeliveries',
          { params: { webhookId }, query: { ...filter, after } },
          options,
        ),
        whole,
      ),
    );
  }

  /** An attempt, with the body of its request. */
  get(webhookId: string, deliveryId: string, options?: CallOptions): Call<WebhookDeliveryWithRequest> {
    return toCall(
      this.#connection.send('getWebhookDelivery', { params: { webhookId, deliveryId } }, options),
      dataOf,
    );
  }

  /** Sends the message of an attempt once more. */
  replay(webhookId: string, deliveryId: string, options?: CreateOptions): Call<WebhookDelivery> {
    return toCall(
      this.#connection.send('replayWebhookDelivery', { params: { webhookId, deliveryId } }, options),
      dataOf,
    );
  }
}
