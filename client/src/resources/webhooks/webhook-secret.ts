import type { Call } from '../../http/call.ts';
import type { CreateOptions } from '../../http/options.ts';
import type { WebhookSecret } from '../../types.ts';
import { Resource } from '../resource.ts';

/** The secret that signs the messages to a webhook. */
export class SigningSecret extends Resource {
  /** A new secret. The one before signs for another day. */
  rotate(webhookId: string, options?: CreateOptions): Call<WebhookSecret> {
    return this.call('rotateWebhookSecret', { params: { webhookId } }, options);
  }
}
