import { type FeedEvent, readFeed } from '../../domain/events/event-feed.ts';
import { findFeedPosition } from '../../domain/events/events.ts';
import type { Queries } from '../../storage/database.ts';

const eventsAtOnce = 100;
/** Events that were read longer ago are read again: personal data may have been erased, or the filter changed. */
const maxAgeMilliseconds = 1_000;

/** A page of the feed had no event that matches, and the next one must be read. */
export const readsOn = Symbol('readsOn');

/** What of the feed is read for a webhook. */
export interface ReadRange {
  /** Begins after this position. */
  readonly position: number;
  /** Ends with this position; undefined to follow the feed. */
  readonly end?: number;
}

/**
 * Reads the events that match, one after another, and knows up to which position everything is settled: several events
 * are sent at the same time, and end in any order.
 */
export class FeedReading {
  readonly #db: Queries;
  readonly #siteId: string;
  readonly #matches: (event: FeedEvent) => boolean;
  readonly #beforeMatching: () => Promise<void>;
  readonly #end: number;
  /** The positions that were taken and are not settled. */
  readonly #taken = new Set<number>();
  #waiting: FeedEvent[] = [];
  #readTo: number;
  #readAt = 0;

  /** @param beforeMatching called when events were read, before `matches` decides about them */
  constructor(
    db: Queries,
    siteId: string,
    { position, end = Number.POSITIVE_INFINITY }: ReadRange,
    matches: (event: FeedEvent) => boolean,
    beforeMatching: () => Promise<void> = async () => {},
  ) {
    this.#db = db;
    this.#siteId = siteId;
    this.#readTo = position;
    this.#end = end;
    this.#matches = matches;
    this.#beforeMatching = beforeMatching;
  }

  /** Everything up to this position is settled. */
  get position(): number {
    const first = this.#waiting[0]?.position ?? this.#readTo + 1;
    let position = first - 1;
    for (const taken of this.#taken) position = Math.min(position, taken - 1);
    return position;
  }

  /** Whether everything up to the end is settled. */
  get isDone(): boolean {
    return this.position >= this.#end;
  }

  /** Whether `take` would return something. Not to be called while an event is being taken. */
  async hasMore(): Promise<boolean> {
    const isAtEnd = await this.#read();
    return this.#waiting.length > 0 || !isAtEnd;
  }

  /**
   * The next event that matches; undefined if there is none yet. It reads at most one page, so that a long part of the
   * feed without such an event delays nothing. Not to be called again before it has resolved.
   */
  async take(): Promise<FeedEvent | typeof readsOn | undefined> {
    const isAtEnd = await this.#read();
    const next = this.#waiting.shift();
    if (next) this.#taken.add(next.position);
    return next ?? (isAtEnd ? undefined : readsOn);
  }

  /** Gives an event back, as if it had not been taken. */
  putBack(event: FeedEvent): void {
    this.#taken.delete(event.position);
    this.#waiting.unshift(event);
  }

  /** An event that was taken was sent, or waits as a delivery. */
  settle(position: number): void {
    this.#taken.delete(position);
  }

  /** Reads a page if no event waits. Returns whether nothing follows it yet. */
  async #read(): Promise<boolean> {
    const [first] = this.#waiting;
    if (first && performance.now() - this.#readAt > maxAgeMilliseconds) {
      this.#readTo = first.position - 1;
      this.#waiting = [];
    }
    if (this.#waiting.length > 0) return false;
    if (this.#readTo >= this.#end) return true;
    this.#readAt = performance.now();
    const events = await readFeed(this.#db, this.#siteId, this.#readTo, eventsAtOnce);
    const last = events.at(-1)?.position;
    // Without an end, events may still come; up to the end, the others were purged.
    if (last === undefined && this.#end === Number.POSITIVE_INFINITY) return this.#isAtEnd();
    if (last !== undefined) await this.#beforeMatching();
    this.#readTo = Math.min(last ?? this.#end, this.#end);
    this.#waiting = events.filter((each) => each.position <= this.#end && this.#matches(each));
    return false;
  }

  /** Whether no event follows. Events that were purged are passed over. */
  async #isAtEnd(): Promise<boolean> {
    const head = (await findFeedPosition(this.#db, this.#siteId)) ?? 0;
    if (head <= this.#readTo) return true;
    // Only now it is certain that nothing comes up to there.
    const [next] = await readFeed(this.#db, this.#siteId, this.#readTo, 1);
    this.#readTo = Math.max(this.#readTo, next === undefined ? head : next.position - 1);
    return next === undefined;
  }
}
