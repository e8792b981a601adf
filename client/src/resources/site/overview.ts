import type { Call } from '../../http/call.ts';
import type { CallOptions } from '../../http/options.ts';
import type { GetOverview, Overview } from '../../types.ts';
import { Resource } from '../resource.ts';

/** The site at a glance. */
export class SiteOverview extends Resource {
  /**
   * An overview of the site: member counts and how they have changed, what needs attention, the set-up steps, and the
   * activity of the last days.
   */
  get(filter: GetOverview = {}, options?: CallOptions): Call<Overview> {
    return this.call('getOverview', { query: filter }, options);
  }
}
