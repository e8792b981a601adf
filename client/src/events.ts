import { toCall, whole } from './call.ts';
import type { Connection } from './connection.ts';
import { GatehouseError } from './error.ts';
import { List, type Page } from './list.ts';
import type { CallOptions } from './options.ts';
import { backOff, isPassing } from './retry.ts';
import type { EventGroup, EventsByType, EventType, ListEventGroups, ListEvents } from './types.ts';

/** Something that has happened on the site. Narrow `type`, then look for `erased` before reading personal data. */
export type Event<Type extends EventType = EventType> = EventsByType[Type];

/** Which events to list. `limit` is the size of a page; `order: 'desc'` is newest first. */
export interface EventFilter<Type extends EventType = EventType> extends Omit<ListEvents, 'type'> {
  type?: Type | undefined;
}

/** Which events to follow, and how. */
export interface FollowEvents<Type extends EventType = EventType>
  extends Omit<EventFilter<Type>, 'limit' | 'until' | 'order'> {
  /** How long to wait before asking again when there was nothing new; 5,000 when left out. */
  intervalMilliseconds?: number | undefined;
  /** Ends the loop. */
  signal?: AbortSignal | undefined;
}

/** What has happened on the site. */
export class Events {
  readonly #connection: Connection;

  /** @internal */
  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Events that match every filter given, oldest first unless `order` says otherwise. */
  list<Type extends EventType = EventType>(
    filter: EventFilter<Type> = {},
    options?: CallOptions,
  ): List<Event<Type>> {
    return new List(filter.after, (after) =>
      toCall(
        this.#connection.send('listEvents', { query: { ...filter, after } }, options),
        (page) => page as Page<Event<Type>>,
      ),
    );
  }

  /** Events that match every filter given, newest first, those that one request made happen as one item. */
  listGroups(filter: ListEventGroups = {}, options?: CallOptions): List<EventGroup> {
    return new List(filter.after, (after) =>
      toCall(this.#connection.send('listEventGroups', { query: { ...filter, after } }, options), whole),
    );
  }

  /**
   * Every event behind `after`, and then each new one as it happens, for as long as the loop runs. Without `after` it
   * starts with the oldest event, or with `since`. Keep the id of the last event you have handled to go on there after a
   * restart. Outages are waited out; what will not pass by itself is thrown. When `signal` aborts, the loop ends.
   */
  async *follow<Type extends EventType = EventType>({
    intervalMilliseconds = 5_000,
    signal,
    ...filter
  }: FollowEvents<Type> = {}): AsyncGenerator<Event<Type>, void, undefined> {
    let { after } = filter;
    while (!signal?.aborted) {
      const page = await this.#nextPage<Type>({ ...filter, after, limit: 100 }, signal);
      for (const event of page?.data ?? []) {
        yield event;
        if (signal?.aborted) return;
        after = event.id;
      }
      if (!page?.pagination.hasMore) await this.#pause(intervalMilliseconds, signal);
    }
  }

  /** Asks until there is an answer; undefined when the signal aborts. */
  async #nextPage<Type extends EventType>(
    filter: EventFilter<Type>,
    signal: AbortSignal | undefined,
  ): Promise<Page<Event<Type>> | undefined> {
    for (let failures = 0; !signal?.aborted; failures++) {
      try {
        return await this.list(filter, { signal }).page();
      } catch (error) {
        if (signal?.aborted) return undefined;
        if (!(error instanceof GatehouseError && isPassing(error))) throw error;
        await this.#pause(Math.max(backOff(failures), (error.retryAfterSeconds ?? 0) * 1_000), signal);
      }
    }
    return undefined;
  }

  /** Waits, but not beyond the abort of the signal. */
  async #pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
    await this.#connection.wait(milliseconds, signal).catch(() => {});
  }
}
