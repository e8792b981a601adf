import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { beginningOfFeed, type FeedCursor, type FeedEvent } from '../../../domain/events/event-feed.ts';
import type { EventFeeds, FeedReader } from '../../../runtime/event-feeds.ts';

/** How long a reader should wait before it connects again. */
const retryMilliseconds = 2_000;
/** From this size of what is not sent yet, the stream waits for its reader. */
const maxWaitingBytes = 256 * 1024;
/** A reader that does not take it within this time is disconnected. */
const slowMilliseconds = 15_000;

export interface EventStreamParts {
  readonly siteId: string;
  readonly response: ServerResponse;
  /** What the reader gets of the next events; an empty text for nothing. */
  readonly textOf: (events: readonly FeedEvent[]) => string;
  readonly feeds: EventFeeds;
  /** Called when the stream has to end because of an error. */
  readonly onError: (error: unknown) => void;
}

/** Sends the events of a site to one reader as server-sent events (HTML Standard, section 9.2.5). */
export class EventStream implements FeedReader {
  readonly #parts: EventStreamParts;
  #position: number;
  #eventId: string;
  #isEnded = false;

  /** @param cursor after which the stream begins */
  constructor(parts: EventStreamParts, { position, eventId = beginningOfFeed }: FeedCursor) {
    this.#parts = parts;
    this.#position = position;
    this.#eventId = eventId;
  }

  /** Sends what the reader has missed, and from then on what happens. */
  start(): void {
    this.#follow().catch((error) => {
      this.#parts.onError(error);
      this.end();
    });
  }

  receive(events: readonly FeedEvent[]): void {
    this.#send(events);
    if (this.#isEnded || this.#waitingBytes <= maxWaitingBytes) return;
    // Too slow for the others: it continues at its own pace, as if it had just connected.
    this.#parts.feeds.leave(this.#parts.siteId, this);
    this.start();
  }

  /** Shows the reader, and what is between, that the connection is open, and where to continue. */
  sendHeartbeat(): void {
    if (!this.#isEnded) this.#parts.response.write(`id: ${this.#eventId}\n: the connection is open\n\n`);
  }

  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    const { feeds, siteId, response } = this.#parts;
    feeds.leave(siteId, this);
    // What a slow reader has not taken would keep the connection open.
    if (this.#waitingBytes > 0) response.destroy();
    else response.end();
  }

  async #follow(): Promise<void> {
    const { siteId, feeds, response } = this.#parts;
    if (!this.#isEnded) response.write(`retry: ${retryMilliseconds}\nid: ${this.#eventId}\n\n`);
    for (let isBehind = true; isBehind || !feeds.join(siteId, this.#position, this); ) {
      if (!(await this.#untilSent())) this.end();
      if (this.#isEnded) return;
      const { events, position, isLast } = await feeds.readPage(siteId, this.#position);
      this.#send(events);
      this.#position = position;
      isBehind = !isLast;
    }
    // It may have ended while it read.
    if (this.#isEnded) feeds.leave(siteId, this);
  }

  get #waitingBytes(): number {
    return this.#parts.response.writableLength;
  }

  #send(events: readonly FeedEvent[]): void {
    const { textOf, response } = this.#parts;
    const next = events.filter(({ position }) => position > this.#position);
    const last = next.at(-1);
    if (last === undefined) return;
    this.#position = last.position;
    this.#eventId = last.event.id;
    const text = textOf(next);
    if (text !== '' && !this.#isEnded) response.write(text);
  }

  /** Waits until the reader has taken enough. False if it does not. */
  async #untilSent(): Promise<boolean> {
    const { response } = this.#parts;
    if (!response.writableNeedDrain) return !response.destroyed;
    try {
      await once(response, 'drain', { signal: AbortSignal.timeout(slowMilliseconds) });
      return true;
    } catch {
      return false;
    }
  }
}
