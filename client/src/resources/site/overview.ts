import { type Call, dataOf, toCall } from '../../http/call.ts';
import type { Connection } from '../../http/connection.ts';
import type { CallOptions } from '../../http/options.ts';
import type { GetOverview, Overview } from '../../types.ts';

/** The site at a glance. */
export class SiteOverview {
  readonly #connection: Connection;

  /** @internal */
  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /**
   * An overview of the site: member counts, the email queue, the set-up steps, and the activity of the last 30 days.
   */
  get(filter: GetOverview = {}, options?: CallOptions): Call<Overview> {
    return toCall(this.#connection.send('getOverview', { query: filter }, options), dataOf);
  }
}
