import { type Call, dataOf, toCall, whole } from '../../http/call.ts';
import type { Connection } from '../../http/connection.ts';
import { List } from '../../http/list.ts';
import type { CallOptions, ChangeOptions, CreateOptions } from '../../http/options.ts';
import type {
  CreatedWebhook,
  CreateWebhook,
  ListWebhooks,
  ReplayWebhook,
  UpdateWebhook,
  Webhook,
  WebhookDelivery,
} from '../../types.ts';
import { WebhookDeliveries } from './webhook-deliveries.ts';
import { SigningSecret } from './webhook-secret.ts';

/** Receivers of the events of the site. To check what arrives there, use `verifyWebhook`. */
export class Webhooks {
  /** The attempts to send a message. */
  readonly deliveries: WebhookDeliveries;
  /** The secret that signs the messages. */
  readonly secret: SigningSecret;
  readonly #connection: Connection;

  /** @internal */
  constructor(connection: Connection) {
    this.#connection = connection;
    this.deliveries = new WebhookDeliveries(connection);
    this.secret = new SigningSecret(connection);
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

  /** Sends a test as soon as possible. Its result is in the delivery. */
  test(webhookId: string, options?: CreateOptions): Call<WebhookDelivery> {
    return toCall(this.#connection.send('testWebhook', { params: { webhookId } }, options), dataOf);
  }

  /** Sends the events of a time again. */
  replay(webhookId: string, period: ReplayWebhook, options?: CreateOptions): Call<Webhook> {
    return toCall(
      this.#connection.send('replayWebhook', { params: { webhookId }, body: period }, options),
      dataOf,
    );
  }
}
