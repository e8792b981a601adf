import { setImmediate as turnOfEventLoop } from 'node:timers/promises';
import { sleep, type Timers } from '../base/timers.ts';
import { type FeedEvent, readFeed } from '../domain/events/event-feed.ts';
import { findFeedPosition } from '../domain/events/events.ts';
import type { Database } from '../storage/database.ts';

const minPauseMilliseconds = 100;
/** With many sites the pause grows, so that they are looked up 500 times a second at most. */
const pauseMillisecondsPerSite = 2;
const eventsAtOnce = 500;
/** What a reader that is behind the others reads at once. */
const eventsOfPage = 100;

/** Receives the events of a site as they are committed. */
export interface FeedReader {
  /**
   * The next events in the order of their commits, at least one. Readers that joined later than others also get events
   * from before their position.
   */
  receive(events: readonly FeedEvent[]): void;
  /** The store has lost events that were read: an asynchronous standby became the primary without them. */
  end(): void;
}

/** What a reader that is behind the others gets. */
export interface FeedPage {
  readonly events: readonly FeedEvent[];
  /** Up to which the reader has now read the feed. */
  readonly position: number;
  readonly isLast: boolean;
}

interface Feed {
  /** Of the last event that the readers have received. */
  position: number;
  readonly readers: Set<FeedReader>;
}

export interface EventFeedsParts {
  readonly database: Database;
  readonly timers: Timers;
  /** Called when the events cannot be read any more. They are read as soon as it is possible again. */
  readonly onError: (error: unknown) => void;
}

/**
 * Reads the events of sites as they are committed, once for all readers of this process. Nothing is read while there is
 * no reader.
 */
export class EventFeeds {
  readonly #parts: EventFeedsParts;
  readonly #feeds = new Map<string, Feed>();
  #polling: Promise<void> | undefined;
  #lastPage: Promise<unknown> = Promise.resolve();

  constructor(parts: EventFeedsParts) {
    this.#parts = parts;
  }

  /**
   * Adds a reader that has read the feed up to a position. Returns false when the others are ahead of it: then it has to
   * read on by itself first.
   */
  join(siteId: string, position: number, reader: FeedReader): boolean {
    let feed = this.#feeds.get(siteId);
    if (feed === undefined) {
      feed = { position, readers: new Set() };
      this.#feeds.set(siteId, feed);
    }
    if (feed.position > position) return false;
    feed.readers.add(reader);
    this.#polling ??= this.#poll();
    return true;
  }

  /**
   * Continues to read for a reader that is behind the others. One page at a time for all of them, and requests are served in
   * between.
   */
  readPage(siteId: string, position: number): Promise<FeedPage> {
    const page = this.#lastPage.then(async () => {
      await turnOfEventLoop();
      // Before it reads: what the others get meanwhile may be missing in what it reads.
      const ahead = this.#feeds.get(siteId)?.position ?? 0;
      const events = await readFeed({ db: this.#parts.database, siteId }, position, eventsOfPage);
      const isLast = events.length < eventsOfPage;
      // What the others have got and is not there any more was purged since.
      const end = events.at(-1)?.position ?? Math.max(position, ahead);
      return { events, position: end, isLast };
    });
    this.#lastPage = page.catch(() => {});
    return page;
  }

  leave(siteId: string, reader: FeedReader): void {
    const feed = this.#feeds.get(siteId);
    if (feed?.readers.delete(reader) && feed.readers.size === 0) this.#feeds.delete(siteId);
  }

  async #poll(): Promise<void> {
    const { timers, onError } = this.#parts;
    let isFailing = false;
    while (this.#feeds.size > 0) {
      await sleep(timers, Math.max(minPauseMilliseconds, this.#feeds.size * pauseMillisecondsPerSite));
      // All of them end before the next round, also if one fails: two reads of a feed must not overlap.
      const reads = await Promise.allSettled([...this.#feeds].map((feed) => this.#read(...feed)));
      const failed = reads.find((read) => read.status === 'rejected');
      if (failed && !isFailing && this.#feeds.size > 0) onError(failed.reason);
      isFailing = failed !== undefined;
    }
    this.#polling = undefined;
  }

  async #read(siteId: string, feed: Feed): Promise<void> {
    const { database } = this.#parts;
    const end = (await findFeedPosition({ db: database, siteId })) ?? 0;
    if (end < feed.position) for (const reader of [...feed.readers]) reader.end();
    while (feed.position < end && feed.readers.size > 0) {
      const events = await readFeed({ db: database, siteId }, feed.position, eventsAtOnce);
      // Events that were purged before anyone read them leave no gap to wait for.
      feed.position = events.at(-1)?.position ?? end;
      if (events.length === 0) continue;
      for (const reader of [...feed.readers]) reader.receive(events);
      await turnOfEventLoop();
    }
  }
}
