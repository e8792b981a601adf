import { type Call, dataOf, toCall } from '../../http/call.ts';
import type { Connection } from '../../http/connection.ts';
import type { CreateOptions } from '../../http/options.ts';
import type { WebhookSecret } from '../../types.ts';

/** The secret that signs the messages to a webhook. */
export class SigningSecret {
  readonly #connection: Connection;

  /** @internal */
  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** A new secret. The one before signs for another day. */
  rotate(webhookId: string, options?: CreateOptions): Call<WebhookSecret> {
    return toCall(this.#connection.send('rotateWebhookSecret', { params: { webhookId } }, options), dataOf);
  }
}
