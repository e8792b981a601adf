import type { Timestamp } from '../../base/clock.ts';
import { newId } from '../../base/ids.ts';
import type { FeedEvent } from '../../domain/events/event-feed.ts';
import type { DeliveredMessage, StoredDelivery } from '../../domain/webhooks/deliveries/delivery.ts';
import {
  findDueDeliveries,
  findEarliestDelivery,
  hasWaitingEvent,
} from '../../domain/webhooks/deliveries/waiting-deliveries.ts';
import type { Replay, StoredWebhook } from '../../domain/webhooks/webhook.ts';
import { eventMessage, findMessage } from '../../domain/webhooks/webhook-message.ts';
import type { Queries } from '../../storage/database.ts';
import { FeedReading, readsOn } from './feed-reading.ts';

const dueAtOnce = 100;

/** A message that is about to be sent. */
export interface TakenMessage {
  /** The id of this attempt. */
  readonly deliveryId: string;
  /** Whether the attempt is stored as one that waits. */
  readonly isStored: boolean;
  readonly message: DeliveredMessage;
  readonly attempt: number;
  /** JSON; null if the event is no longer stored. */
  readonly body: string | null;
  readonly feed?: FeedReading;
}

/** What is to be sent to a webhook: attempts that are due, new events, and events that are sent again. */
export class DeliveryQueue {
  readonly #db: Queries;
  readonly #siteId: string;
  readonly #feed: FeedReading;
  readonly #noticeSettings: () => Promise<void>;
  #webhook: StoredWebhook;
  #replay: { readonly stored: Replay; readonly feed: FeedReading } | undefined;
  #due: StoredDelivery[] = [];
  /** The stored attempts that were taken and are not settled. */
  readonly #taken = new Set<string>();
  /** The messages that were taken and are not settled: no two attempts of one overlap. */
  readonly #messages = new Set<string>();
  #hasWaitingEvent = false;
  #isHeldUp = false;
  #isReplayNext = false;

  /** @param noticeSettings called after events were read; calls `refresh` if the settings have changed */
  constructor(db: Queries, siteId: string, webhook: StoredWebhook, noticeSettings: () => Promise<void>) {
    this.#db = db;
    this.#siteId = siteId;
    this.#noticeSettings = noticeSettings;
    this.#webhook = webhook;
    const matchesNow = (event: FeedEvent) => matches(event, this.#webhook);
    this.#feed = new FeedReading(db, siteId, webhook, matchesNow, noticeSettings);
    this.#openReplay();
  }

  /** Every event up to this position is settled. */
  get position(): number {
    return this.#feed.position;
  }

  /** The progress of the replay, null when it is done; undefined if there is none. */
  get replay(): Replay | null | undefined {
    if (!this.#replay) return undefined;
    const { stored, feed } = this.#replay;
    return feed.isDone ? null : { ...stored, position: feed.position };
  }

  /** Finds the attempts that are due. @param webhook with its present settings */
  async refresh(webhook: StoredWebhook, now: Timestamp): Promise<void> {
    if (this.replay === null) this.#replay = undefined;
    this.#webhook = webhook;
    this.#openReplay();
    const due = await findDueDeliveries(this.#db, this.#siteId, webhook.id, { now, limit: dueAtOnce });
    this.#due = due.filter(({ id }) => !this.#taken.has(id));
    this.#hasWaitingEvent = this.#isOrdered && (await hasWaitingEvent(this.#db, this.#siteId, webhook.id));
  }

  /** An event has failed: in order, no other is sent until `goOn`. */
  holdUp(): void {
    this.#isHeldUp = this.#isOrdered;
  }

  goOn(): void {
    this.#isHeldUp = false;
  }

  /**
   * The next message to send; undefined if there is none now, and `readsOn` if the feed must be read on to find it. Not to
   * be called again before it has resolved.
   */
  async take(): Promise<TakenMessage | typeof readsOn | undefined> {
    const index = this.#due.findIndex(({ messageId }) => !this.#messages.has(messageId));
    if (!this.#isHeldUp && index >= 0) return this.#takeStored(this.#due.splice(index, 1)[0]!);
    if (this.#isHeldUp || this.#hasWaitingEvent) return undefined;
    // They take turns, so that neither waits for all of the other.
    const feeds = [this.#feed, ...(this.#replay ? [this.#replay.feed] : [])];
    if (this.#isReplayNext) feeds.reverse();
    let isReadingOn = false;
    for (const feed of feeds) {
      const event = await feed.take();
      if (event === readsOn) isReadingOn = true;
      if (event === readsOn || !event) continue;
      if (this.#messages.has(event.event.id)) {
        feed.putBack(event);
        continue;
      }
      this.#isReplayNext = feed === this.#feed;
      return this.#takenOf(event, feed);
    }
    return isReadingOn ? readsOn : undefined;
  }

  /** Whether something can be taken. Not to be called while something is being taken. */
  async hasMore(): Promise<boolean> {
    if (this.#isHeldUp) return false;
    if (this.#due.length > 0) return true;
    return (
      !this.#hasWaitingEvent &&
      ((await this.#feed.hasMore()) || (await this.#replay?.feed.hasMore()) === true)
    );
  }

  /** A test that is due. */
  async takeTest(): Promise<TakenMessage | undefined> {
    const index = this.#due.findIndex(({ kind }) => kind === 'test');
    return index < 0 ? undefined : this.#takeStored(this.#due.splice(index, 1)[0]!);
  }

  /** The message with which a failing receiver is tried, also before it is due. */
  async takeProbe(): Promise<TakenMessage | typeof readsOn | undefined> {
    const earliest = await findEarliestDelivery(this.#db, this.#siteId, this.#webhook.id);
    if (!earliest) return this.take();
    this.#due = this.#due.filter(({ id }) => id !== earliest.id);
    return this.#takeStored(earliest);
  }

  /** The result of a message is about to be stored. */
  settle({ deliveryId, message, feed }: TakenMessage): void {
    this.#taken.delete(deliveryId);
    this.#messages.delete(message.messageId);
    feed?.settle(message.position!);
  }

  get #isOrdered(): boolean {
    return this.#webhook.parallelism === 1;
  }

  #openReplay(): void {
    const { replay } = this.#webhook;
    if (this.#replay || !replay) return;
    const matchesNow = (event: FeedEvent) => isInReplay(event, this.#webhook, replay);
    const feed = new FeedReading(this.#db, this.#siteId, replay, matchesNow, this.#noticeSettings);
    this.#replay = { stored: replay, feed };
  }

  #takenOf({ position, event }: FeedEvent, feed: FeedReading): TakenMessage {
    const kind = feed === this.#feed ? 'event' : 'replay';
    this.#messages.add(event.id);
    const message = { kind, messageId: event.id, type: event.type, position } as const;
    const body = eventMessage(this.#siteId, event, this.#webhook.content);
    return { deliveryId: newId(), isStored: false, message, attempt: 1, body, feed };
  }

  async #takeStored(delivery: StoredDelivery): Promise<TakenMessage> {
    const { id, attempt, messageId } = delivery;
    this.#taken.add(id);
    this.#messages.add(messageId);
    const body = await findMessage(this.#db, this.#siteId, this.#webhook, delivery);
    return { deliveryId: id, isStored: true, message: delivery, attempt, body };
  }
}

function matches({ event, groupId }: FeedEvent, { enabled, eventTypes, groupIds }: StoredWebhook): boolean {
  if (!enabled) return false;
  if (eventTypes && !eventTypes.includes(event.type)) return false;
  return !groupIds || (groupId !== null && groupIds.includes(groupId));
}

function isInReplay(
  feedEvent: FeedEvent,
  webhook: StoredWebhook,
  { since, until, eventTypes }: Replay,
): boolean {
  const { occurredAt, type } = feedEvent.event;
  const isInTime = occurredAt >= since && occurredAt < until;
  return isInTime && (!eventTypes || eventTypes.includes(type)) && matches(feedEvent, webhook);
}
