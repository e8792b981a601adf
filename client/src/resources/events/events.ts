import type { List } from '../../http/list.ts';
import type { CallOptions } from '../../http/options.ts';
import type { Event as AnyEvent, EventType, ListEvents } from '../../types.ts';
import { Resource } from '../resource.ts';

/** An event of the site. Narrow `type`, then check `erased` before reading personal data. */
export type Event<Type extends EventType = EventType> = Extract<AnyEvent, { type: Type }>;

/** The filters of a list of events. `limit` is the page size; `order: 'desc'` is newest first. */
export interface EventFilter<Type extends EventType = EventType> extends Omit<ListEvents, 'type'> {
  type?: Type | undefined;
}

/** The filters and options of `follow`. */
export interface FollowEvents<Type extends EventType = EventType>
  extends Omit<EventFilter<Type>, 'limit' | 'until' | 'order'> {
  /** How long to wait before the next request if there was no new event. Defaults to 5,000. */
  intervalMilliseconds?: number | undefined;
  /** Ends the loop. */
  signal?: AbortSignal | undefined;
}

/** The filters and options of `stream`. */
export interface StreamEvents<Type extends EventType = EventType> {
  /** Only events of these types. */
  types?: readonly Type[] | undefined;
  /** Only events about these access groups. */
  groupIds?: readonly string[] | undefined;
  /** Begin after the event with this id. Without it, the stream begins now. */
  after?: string | undefined;
  /** Ends the loop. */
  signal?: AbortSignal | undefined;
}

/** The events of the site. */
export class Events extends Resource {
  /** Events that match all given filters, oldest first by default. */
  list<Type extends EventType = EventType>(
    filter: EventFilter<Type> = {},
    options?: CallOptions,
  ): List<Event<Type>> {
    return this.paginate('listEvents', { query: filter }, options) as List<Event<Type>>;
  }

  /**
   * Every event after `after`, then each new event as it happens, for as long as the loop runs. Without `after` it
   * starts with the oldest event, or at `since`. Store the id of the last event that you have handled to continue there
   * after a restart. During temporary failures it waits and tries again; other errors are thrown. The loop ends when
   * `signal` aborts.
   */
  async *follow<Type extends EventType = EventType>(
    options: FollowEvents<Type> = {},
  ): AsyncGenerator<Event<Type>, void, undefined> {
    const { intervalMilliseconds = 5_000, signal, ...filter } = options;
    const { followList } = await import('../../http/polling.ts');
    const read = (after: string | undefined) =>
      this.list<Type>({ ...filter, after, limit: 100 }, { signal }).page();
    yield* followList(this.connection, read, filter.after, { intervalMilliseconds, signal });
  }

  /**
   * Each new event as it happens, within moments, for as long as the loop runs. It connects again by itself, and then
   * continues without a loss: every event comes once. Store the id of the last event that you have handled, and pass it
   * as `after` to continue there after a restart. During temporary failures it waits and tries again; other errors are
   * thrown. The loop ends when `signal` aborts.
   */
  stream<Type extends EventType = EventType>(
    options: StreamEvents<Type> = {},
  ): AsyncGenerator<Event<Type>, void, undefined> {
    return this.connection.stream(options) as AsyncGenerator<Event<Type>, void, undefined>;
  }
}
