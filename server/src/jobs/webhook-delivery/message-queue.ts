import type { Timestamp } from '../../base/clock.ts';
import { newId } from '../../base/ids.ts';
import type { FeedEvent } from '../../domain/events/event-feed.ts';
import type { Attempt } from '../../domain/webhooks/deliveries/attempt.ts';
import type { StoredDelivery } from '../../domain/webhooks/deliveries/delivery.ts';
import type { ClaimedWebhook } from '../../domain/webhooks/deliveries/delivery-claims.ts';
import type { FeedProgress } from '../../domain/webhooks/deliveries/delivery-progress.ts';
import {
  findDueDeliveries,
  findEarliestDelivery,
  hasWaitingEvent,
} from '../../domain/webhooks/deliveries/waiting-deliveries.ts';
import type { StoredWebhook } from '../../domain/webhooks/webhook.ts';
import { eventMessage } from '../../domain/webhooks/webhook-message.ts';
import type { Queries } from '../../storage/database.ts';
import { type FeedMessage, FeedMessages } from './feed-messages.ts';
import type { FeedReader } from './feed-reader.ts';

const dueAtOnce = 100;

/** An attempt that is about to be made. */
export interface QueuedAttempt extends Attempt {
  /** Where the event comes from, with the body for it; undefined if the attempt is stored as one that waits. */
  readonly feed?: { readonly reader: FeedReader; readonly body: string };
}

/** What is to be sent to a webhook: attempts that are due, new events, and events that are sent again. */
export class MessageQueue {
  readonly #db: Queries;
  readonly #siteId: string;
  readonly #feed: FeedMessages;
  #webhook: StoredWebhook;
  #due: StoredDelivery[] = [];
  /** Stored attempts that were consumed and are not completed. */
  readonly #consumed = new Set<string>();
  /** Messages that were consumed and are not completed: no two attempts of one overlap. */
  readonly #messages = new Set<string>();
  /** In order, nothing new is sent while an event waits for another attempt. */
  #isHeldBack = false;

  constructor(db: Queries, { siteId, webhook }: ClaimedWebhook) {
    this.#db = db;
    this.#siteId = siteId;
    this.#webhook = webhook;
    this.#feed = new FeedMessages(db, siteId, webhook);
  }

  /** How far the feed is completed. */
  get progress(): FeedProgress {
    return this.#feed.progress;
  }

  /** Continues with the present settings, and finds the attempts that are due. */
  async refresh(webhook: StoredWebhook, now: Timestamp): Promise<void> {
    this.#webhook = webhook;
    this.#feed.refresh(webhook);
    const due = await findDueDeliveries({ db: this.#db, siteId: this.#siteId }, webhook.id, {
      now,
      limit: dueAtOnce,
    });
    this.#due = due.filter(({ id }) => !this.#consumed.has(id));
    this.#isHeldBack =
      webhook.parallelism === 1 &&
      (await hasWaitingEvent({ db: this.#db, siteId: this.#siteId }, webhook.id));
  }

  /**
   * Continues to read the feed if nothing is due. Returns whether anything was read, so that there may be something to consume or
   * to read. Not to be called again before it has resolved.
   */
  async read(): Promise<boolean> {
    if (this.#isHeldBack || this.#nextDue() >= 0) return false;
    return this.#feed.read(this.#maySend);
  }

  /** Whether `consume` would return something. */
  get hasNext(): boolean {
    return this.#nextDue() >= 0 || this.#nextOfFeed() !== undefined;
  }

  /** The next attempt to make; undefined if there is none of what was read. */
  consume(): QueuedAttempt | undefined {
    const index = this.#nextDue();
    if (index >= 0) return this.#consumeDue(index);
    const next = this.#nextOfFeed();
    return next && this.#consumeFeed(next);
  }

  /** A test that is due. */
  consumeTest(): QueuedAttempt | undefined {
    const index = this.#due.findIndex(({ trigger }) => trigger === 'test');
    return index < 0 ? undefined : this.#consumeDue(index);
  }

  /** The waiting attempt of the earliest event, also before it is due. */
  async consumeEarliest(): Promise<QueuedAttempt | undefined> {
    const earliest = await findEarliestDelivery({ db: this.#db, siteId: this.#siteId }, this.#webhook.id);
    if (!earliest) return undefined;
    this.#due = this.#due.filter(({ id }) => id !== earliest.id);
    return this.#attemptOf(earliest);
  }

  /** The result of an attempt is about to be recorded. */
  complete({ id, message, feed }: QueuedAttempt): void {
    this.#consumed.delete(id);
    this.#messages.delete(message.messageId);
    feed?.reader.complete(message.position!);
  }

  #nextDue(): number {
    return this.#due.findIndex(({ messageId }) => !this.#messages.has(messageId));
  }

  #nextOfFeed(): FeedMessage | undefined {
    return this.#isHeldBack ? undefined : this.#feed.next(this.#maySend);
  }

  readonly #maySend = ({ event }: FeedEvent): boolean => !this.#messages.has(event.id);

  #consumeDue(index: number): QueuedAttempt {
    return this.#attemptOf(this.#due.splice(index, 1)[0]!);
  }

  #attemptOf(delivery: StoredDelivery): QueuedAttempt {
    const { id, webhookId, messageId, attempt: number } = delivery;
    this.#consumed.add(id);
    this.#messages.add(messageId);
    return { id, webhookId, message: delivery, number };
  }

  #consumeFeed(next: FeedMessage): QueuedAttempt {
    this.#feed.consume(next);
    const { trigger, reader } = next;
    const { event, position } = next.event;
    this.#messages.add(event.id);
    const message = { trigger, messageId: event.id, type: event.type, position };
    const body = eventMessage(this.#siteId, event, this.#webhook.content);
    return { id: newId(), webhookId: this.#webhook.id, message, number: 1, feed: { reader, body } };
  }
}
