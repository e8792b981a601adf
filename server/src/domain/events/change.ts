import type { Actor } from '@gatehouse/contract';
import { type ChangeContext, systemContext } from '../../base/change-context.ts';
import type { Timestamp } from '../../base/clock.ts';
import type { Transaction } from '../../storage/database.ts';
import type { SiteData } from '../../storage/site-view.ts';
import type { NewEvent } from './event.ts';
import { insertEvents, type RecordedEvent } from './event-store.ts';

/**
 * A change to a site: its transaction, its actor and its time. Code that changes data records the event on it. Events
 * are written once, at the end. From then on other writers of the site wait, so the order of the event feed is the
 * order of the commits.
 */
export class Change {
  readonly db: Transaction;
  readonly siteId: string;
  readonly context: ChangeContext;
  readonly #events: RecordedEvent[];

  constructor(tx: Transaction, siteId: string, context: ChangeContext, events: RecordedEvent[] = []) {
    this.db = tx;
    this.siteId = siteId;
    this.context = context;
    this.#events = events;
  }

  get now(): Timestamp {
    return this.context.at;
  }

  record(...events: readonly NewEvent[]): void {
    const { siteId, context } = this;
    for (const event of events) this.#events.push({ siteId, context, event });
  }

  /** The same change, recorded with another actor. */
  as(actor: Actor): Change {
    return new Change(this.db, this.siteId, { ...this.context, actor }, this.#events);
  }

  /** The same change, recorded as one of Gatehouse itself: without the address of the visitor who caused it. */
  bySystem(): Change {
    return new Change(this.db, this.siteId, systemContext(this.now), this.#events);
  }

  /** The part of the same change that affects another site. */
  on(siteId: string): Change {
    return new Change(this.db, siteId, this.context, this.#events);
  }

  /** Runs a part that may fail on its own: when it throws, only its own rows and events are rolled back. */
  async savepoint<T>(work: () => Promise<T>): Promise<T> {
    const before = this.#events.length;
    try {
      return await this.db.savepoint(work);
    } catch (error) {
      this.#events.length = before;
      throw error;
    }
  }

  /** Writes the recorded events, which are then no longer part of the change. */
  async writeEvents(): Promise<void> {
    const events = this.#events.splice(0);
    if (events.length > 0) await this.db.writeToFeed(events, writeEvents);
  }
}

/** Makes a change in the transaction, and writes its events when it is complete. */
export async function makeChange<T>(
  { db, siteId }: SiteData<Transaction>,
  context: ChangeContext,
  work: (change: Change) => Promise<T>,
): Promise<T> {
  const change = new Change(db, siteId, context);
  const result = await work(change);
  await change.writeEvents();
  return result;
}

/** Sites are locked in the order of their ids, to prevent deadlocks. */
async function writeEvents(tx: Transaction, events: readonly RecordedEvent[]): Promise<void> {
  const bySite = Object.groupBy(events, ({ siteId }) => siteId);
  for (const siteId of Object.keys(bySite).sort()) await insertEvents({ db: tx, siteId }, bySite[siteId]!);
}
