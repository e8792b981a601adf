import type { Call } from '../../http/call.ts';
import type { CallOptions } from '../../http/options.ts';
import type { GetOverview, Overview } from '../../types.ts';
import { Resource } from '../resource.ts';

/** The site at a glance. */
export class SiteOverview extends Resource {
  /**
   * An overview of the site: member counts, the email queue, the set-up steps, and the activity of the last 30 days.
   */
  get(filter: GetOverview = {}, options?: CallOptions): Call<Overview> {
    return this.call('getOverview', { query: filter }, options);
  }
}
