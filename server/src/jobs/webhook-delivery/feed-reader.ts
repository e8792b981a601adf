import { type FeedEvent, readFeed } from '../../domain/events/event-feed.ts';
import { findFeedPosition } from '../../domain/events/events.ts';
import type { Queries } from '../../storage/database.ts';

const pageSize = 100;
/** Events that were read longer ago are read again: personal data in them may have been erased. */
const maxAgeMilliseconds = 1_000;

/** The part of the feed that is read. */
export interface FeedRange {
  /** Begins after this position. */
  readonly position: number;
  /** Ends with this position; undefined to follow the feed. */
  readonly end?: number;
}

/**
 * Reads events page by page and hands out those that match. It knows up to which position everything is completed, because
 * several events are sent at the same time and end in any order.
 */
export class FeedReader {
  readonly #db: Queries;
  readonly #siteId: string;
  readonly #end: number;
  /** The positions that were consumed and are not completed. */
  readonly #consumed = new Set<number>();
  /** The rest of the page. */
  #page: FeedEvent[] = [];
  #readTo: number;
  #readAt = 0;
  /** Whether the page was read since the last event of it was looked for. */
  #isNew = false;

  constructor(db: Queries, siteId: string, { position, end = Number.POSITIVE_INFINITY }: FeedRange) {
    this.#db = db;
    this.#siteId = siteId;
    this.#readTo = position;
    this.#end = end;
  }

  /** Everything up to this position is completed. */
  get position(): number {
    const first = this.#page[0]?.position ?? this.#readTo + 1;
    let position = first - 1;
    for (const consumed of this.#consumed) position = Math.min(position, consumed - 1);
    return position;
  }

  /** The next event of the page, whether it matches or not. */
  get first(): FeedEvent | undefined {
    return this.#page[0];
  }

  /** The next event of the page that matches. Those before it are passed over. */
  peek(matches: (event: FeedEvent) => boolean): FeedEvent | undefined {
    // A new page counts however long the store took, so that a slow one cannot keep all events back.
    if (!this.#isNew) this.#discardOldPage();
    this.#isNew = false;
    const index = this.#page.findIndex(matches);
    this.#page.splice(0, index < 0 ? this.#page.length : index);
    return this.#page[0];
  }

  /** Removes the event that `peek` has returned from the page. */
  consume({ position }: FeedEvent): void {
    this.#page.shift();
    this.#consumed.add(position);
  }

  /** A consumed event was sent, or waits as a delivery. */
  complete(position: number): void {
    this.#consumed.delete(position);
  }

  /**
   * Reads the next page if nothing is left of the one before. Returns whether anything was read, so that there may be an
   * event, or another page. At most one page is read, so that a long part of the feed without an event that matches delays
   * nothing. Not to be called again before it has resolved.
   */
  async read(): Promise<boolean> {
    this.#discardOldPage();
    if (this.#page.length > 0 || this.#readTo >= this.#end) return false;
    this.#readAt = performance.now();
    const events = await readFeed({ db: this.#db, siteId: this.#siteId }, this.#readTo, pageSize);
    const last = events.at(-1)?.position;
    // Without an end, events may still come; up to the end, the others were purged.
    if (last === undefined && this.#end === Number.POSITIVE_INFINITY) return this.#skipPurged();
    this.#readTo = Math.min(last ?? this.#end, this.#end);
    this.#page = events.filter(({ position }) => position <= this.#end);
    this.#isNew = true;
    return true;
  }

  #discardOldPage(): void {
    const [first] = this.#page;
    if (!first || performance.now() - this.#readAt <= maxAgeMilliseconds) return;
    this.#readTo = first.position - 1;
    this.#page = [];
  }

  /** Passes over events that were purged. Returns whether others follow. */
  async #skipPurged(): Promise<boolean> {
    const head = (await findFeedPosition({ db: this.#db, siteId: this.#siteId })) ?? 0;
    if (head <= this.#readTo) return false;
    // Only now it is certain that nothing comes up to there.
    const [next] = await readFeed({ db: this.#db, siteId: this.#siteId }, this.#readTo, 1);
    this.#readTo = Math.max(this.#readTo, next === undefined ? head : next.position - 1);
    return next !== undefined;
  }
}
