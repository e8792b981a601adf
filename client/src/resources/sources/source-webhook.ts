import type { Call } from '../../http/call.ts';
import type { CallOptions } from '../../http/options.ts';
import type { SourceWebhook } from '../../types.ts';
import { Resource } from '../resource.ts';

/** How a workspace of Notion reports changes at once. */
export class NotionWebhook extends Resource {
  /** How a workspace of Notion reports changes at once. */
  get(sourceId: string, options?: CallOptions): Call<SourceWebhook> {
    return this.call('getSourceWebhook', { params: { sourceId } }, options);
  }

  /** Forgets the verification token of Notion, and accepts another one for 15 minutes. */
  reset(sourceId: string, options?: CallOptions): Call<void> {
    return this.call('resetSourceWebhook', { params: { sourceId } }, options);
  }
}
