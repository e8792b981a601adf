import { type Call, dataOf, toCall, whole } from '../../http/call.ts';
import type { Connection } from '../../http/connection.ts';
import type { CallOptions } from '../../http/options.ts';
import type { SourceWebhook } from '../../types.ts';

/** How a workspace of Notion reports changes at once. */
export class NotionWebhook {
  readonly #connection: Connection;

  /** @internal */
  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** How a workspace of Notion reports changes at once. */
  get(sourceId: string, options?: CallOptions): Call<SourceWebhook> {
    return toCall(this.#connection.send('getSourceWebhook', { params: { sourceId } }, options), dataOf);
  }

  /** Forgets the verification token of Notion, and accepts another one for 15 minutes. */
  reset(sourceId: string, options?: CallOptions): Call<void> {
    return toCall(
      this.#connection.send('resetSourceWebhook', { params: { sourceId } }, options),
      whole<void>,
    );
  }
}
