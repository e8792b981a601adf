import { toCall, whole } from '../../http/call.ts';
import type { Connection } from '../../http/connection.ts';
import { List } from '../../http/list.ts';
import type { CallOptions } from '../../http/options.ts';
import type { EventGroup, ListEventGroups } from '../../types.ts';

/** The events of the site, grouped by request. */
export class EventGroups {
  readonly #connection: Connection;

  /** @internal */
  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Events that match all given filters, newest first, grouped by request. */
  list(filter: ListEventGroups = {}, options?: CallOptions): List<EventGroup> {
    return new List(filter.after, (after) =>
      toCall(this.#connection.send('listEventGroups', { query: { ...filter, after } }, options), whole),
    );
  }
}
