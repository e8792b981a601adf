import type { FeedEvent } from '../../domain/events/event-feed.ts';
import type { FeedProgress } from '../../domain/webhooks/deliveries/delivery-progress.ts';
import type { Replay, StoredWebhook } from '../../domain/webhooks/webhook.ts';
import type { Queries } from '../../storage/database.ts';
import { FeedReader } from './feed-reader.ts';

/** An event of the feed that is to be sent. */
export interface FeedMessage {
  readonly trigger: 'event' | 'replay';
  readonly event: FeedEvent;
  readonly reader: FeedReader;
}

interface FeedSource {
  readonly trigger: 'event' | 'replay';
  readonly reader: FeedReader;
  readonly isIncluded: (event: FeedEvent) => boolean;
}

interface ReplaySource extends FeedSource {
  readonly stored: Replay;
}

/** The events that a webhook gets: new ones, and in turn with them those of a replay, so that neither delays the other. */
export class FeedMessages {
  readonly #db: Queries;
  readonly #siteId: string;
  #events: FeedSource;
  #webhook: StoredWebhook;
  #replay: ReplaySource | undefined;
  #isReplayNext = false;

  constructor(db: Queries, siteId: string, webhook: StoredWebhook) {
    this.#db = db;
    this.#siteId = siteId;
    this.#webhook = webhook;
    this.#events = this.#eventsAfter(webhook);
    this.#openReplay();
  }

  get progress(): FeedProgress {
    return { position: this.#events.reader.position, replay: this.#replayProgress() };
  }

  /** Continues with the present settings. One that was enabled again begins later, and without the replay of before. */
  refresh(webhook: StoredWebhook): void {
    if (webhook.position > this.#events.reader.position) this.#events = this.#eventsAfter(webhook);
    if (this.#replay?.stored.id !== webhook.replay?.id) this.#replay = undefined;
    this.#webhook = webhook;
    this.#openReplay();
  }

  /** Reads a page if there is no event left whose turn it is. Returns whether anything was read. */
  async read(maySend: (event: FeedEvent) => boolean): Promise<boolean> {
    let hasRead = false;
    for (const source of this.#inTurn()) {
      const { reader } = source;
      // The rest of a page may have no event that is sent.
      this.#peek(source);
      if (await reader.read()) hasRead = true;
      if (reader.first && maySend(reader.first)) break;
    }
    return hasRead;
  }

  /** The next event that may be sent, of those that were read. */
  next(maySend: (event: FeedEvent) => boolean): FeedMessage | undefined {
    for (const source of this.#inTurn()) {
      const event = this.#peek(source);
      if (event && maySend(event)) return { trigger: source.trigger, event, reader: source.reader };
    }
    return undefined;
  }

  #peek({ reader, isIncluded }: FeedSource): FeedEvent | undefined {
    return reader.peek((event) => isIncluded(event) && matches(event, this.#webhook));
  }

  /** Removes an event that `next` has returned. */
  consume({ trigger, event, reader }: FeedMessage): void {
    reader.consume(event);
    this.#isReplayNext = trigger === 'event';
  }

  #inTurn(): readonly FeedSource[] {
    if (!this.#replay) return [this.#events];
    return this.#isReplayNext ? [this.#replay, this.#events] : [this.#events, this.#replay];
  }

  #replayProgress(): Replay | undefined {
    if (!this.#replay) return undefined;
    const { stored, reader } = this.#replay;
    return { ...stored, position: reader.position };
  }

  #eventsAfter({ position }: StoredWebhook): FeedSource {
    const reader = new FeedReader(this.#db, this.#siteId, { position });
    return { trigger: 'event', reader, isIncluded: () => true };
  }

  #openReplay(): void {
    const { replay } = this.#webhook;
    if (this.#replay || !replay) return;
    const reader = new FeedReader(this.#db, this.#siteId, replay);
    this.#replay = {
      trigger: 'replay',
      stored: replay,
      reader,
      isIncluded: (event) => isInReplay(event, replay),
    };
  }
}

function matches({ event, groupId }: FeedEvent, { enabled, eventTypes, groupIds }: StoredWebhook): boolean {
  if (!enabled) return false;
  if (eventTypes && !eventTypes.includes(event.type)) return false;
  return !groupIds || (groupId !== null && groupIds.includes(groupId));
}

function isInReplay({ event }: FeedEvent, { since, until, eventTypes }: Replay): boolean {
  const isInTime = event.occurredAt >= since && event.occurredAt < until;
  return isInTime && (!eventTypes || eventTypes.includes(event.type));
}
