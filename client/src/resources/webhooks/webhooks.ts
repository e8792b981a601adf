import type { Call } from '../../http/call.ts';
import type { List } from '../../http/list.ts';
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
import { Resource } from '../resource.ts';
import { WebhookDeliveries } from './webhook-deliveries.ts';
import { SigningSecret } from './webhook-secret.ts';

/** Receivers of the events of the site. To check what arrives there, use `verifyWebhook`. */
export class Webhooks extends Resource {
  /** The attempts to send a message. */
  readonly deliveries = new WebhookDeliveries(this.connection);
  /** The secret that signs the messages. */
  readonly secret = new SigningSecret(this.connection);

  /** The webhooks of the site, newest first. `limit` is the page size. */
  list(filter: ListWebhooks = {}, options?: CallOptions): List<Webhook> {
    return this.paginate('listWebhooks', { query: filter }, options);
  }

  /** The new webhook with its secret, which is returned only this once. */
  create(webhook: CreateWebhook, options?: CreateOptions): Call<CreatedWebhook> {
    return this.call('createWebhook', { body: webhook }, options);
  }

  get(webhookId: string, options?: CallOptions): Call<Webhook> {
    return this.call('getWebhook', { params: { webhookId } }, options);
  }

  /** Changes the given settings. */
  update(webhookId: string, changes: UpdateWebhook, options?: ChangeOptions): Call<Webhook> {
    return this.call('updateWebhook', { params: { webhookId }, body: changes }, options);
  }

  /** Permanent. */
  delete(webhookId: string, options?: ChangeOptions): Call<void> {
    return this.call('deleteWebhook', { params: { webhookId } }, options);
  }

  /** Sends a test as soon as possible. Its result is in the delivery. */
  test(webhookId: string, options?: CreateOptions): Call<WebhookDelivery> {
    return this.call('testWebhook', { params: { webhookId } }, options);
  }

  /** Sends the events of a time again. */
  replay(webhookId: string, period: ReplayWebhook, options?: CreateOptions): Call<Webhook> {
    return this.call('replayWebhook', { params: { webhookId }, body: period }, options);
  }
}
