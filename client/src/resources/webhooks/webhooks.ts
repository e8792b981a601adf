import { type Call, dataOf, toCall, whole } from '../../http/call.ts';
import type { Connection } from '../../http/connection.ts';
import { List } from '../../http/list.ts';
import type { CallOptions, ChangeOptions, CreateOptions } from '../../http/options.ts';
import type {
  CreatedWebhook,
  CreateWebhook,
  ListWebhookDeliveries,
  ListWebhooks,
  ReplayWebhook,
  UpdateWebhook,
  Webhook,
  WebhookDelivery,
  WebhookDeliveryWithRequest,
  WebhookSecret,
} from '../../types.ts';

/** Receivers of the events of the site. To check what arrives there, use `verifyWebhook`. */
export class Webhooks {
  readonly #connection: Connection;

  /** @internal */
  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** The webhooks of the site, newest first. `limit` is the page size. */
  list(filter: ListWebhooks = {}, options?: CallOptions): List<Webhook> {
    return new List(filter.after, (after) =>
      toCall(this.#connection.send('listWebhooks', { query: { ...filter, after } }, options), whole),
    );
  }

  /** The new webhook with its secret, which is returned only this once. */
  create(webhook: CreateWebhook, options?: CreateOptions): Call<CreatedWebhook> {
    return toCall(this.#connection.send('createWebhook', { body: webhook }, options), dataOf);
  }

  get(webhookId: string, options?: CallOptions): Call<Webhook> {
    return toCall(this.#connection.send('getWebhook', { params: { webhookId } }, options), dataOf);
  }

  /** Changes the given settings. */
  update(webhookId: string, changes: UpdateWebhook, options?: ChangeOptions): Call<Webhook> {
    return toCall(
      this.#connection.send('updateWebhook', { params: { webhookId }, body: changes }, options),
      dataOf,
    );
  }

  /** Permanent. */
  delete(webhookId: string, options?: ChangeOptions): Call<void> {
    return toCall(this.#connection.send('deleteWebhook', { params: { webhookId } }, options), whole<void>);
  }

  /** A new secret. The one before signs for another day. */
  rotateSecret(webhookId: string, options?: CreateOptions): Call<WebhookSecret> {
    return toCall(this.#connection.send('rotateWebhookSecret', { params: { webhookId } }, options), dataOf);
  }

  /** Sends a test as soon as possible. Its result is in the delivery. */
  test(webhookId: string, options?: CreateOptions): Call<WebhookDelivery> {
    return toCall(this.#connection.send('testWebhook', { params: { webhookId } }, options), dataOf);
  }

  /** Sends the events of a time again. */
  replay(webhookId: string, body: ReplayWebhook, options?: CreateOptions): Call<Webhook> {
    return toCall(this.#connection.send('replayWebhook', { params: { webhookId }, body }, options), dataOf);
  }

  /** The attempts of the last 7 days and those that wait, newest first. */
  deliveries(
    webhookId: string,
    filter: ListWebhookDeliveries = {},
    options?: CallOptions,
  ): List<WebhookDelivery> {
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
  delivery(webhookId: string, deliveryId: string, options?: CallOptions): Call<WebhookDeliveryWithRequest> {
    return toCall(
      this.#connection.send('getWebhookDelivery', { params: { webhookId, deliveryId } }, options),
      dataOf,
    );
  }

  /** Sends the message of an attempt once more. */
  replayDelivery(webhookId: string, deliveryId: string, options?: CreateOptions): Call<WebhookDelivery> {
    return toCall(
      this.#connection.send('replayWebhookDelivery', { params: { webhookId, deliveryId } }, options),
      dataOf,
    );
  }
}
