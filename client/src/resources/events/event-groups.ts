import type { List } from '../../http/list.ts';
import type { CallOptions } from '../../http/options.ts';
import type { EventGroup, ListEventGroups } from '../../types.ts';
import { Resource } from '../resource.ts';

/** The events of the site, grouped by request. */
export class EventGroups extends Resource {
  /** Events that match all given filters, newest first, grouped by request. */
  list(filter: ListEventGroups = {}, options?: CallOptions): List<EventGroup> {
    return this.paginate('listEventGroups', { query: filter }, options);
  }
}
