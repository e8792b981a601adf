import type { Event } from '@gatehouse/contract';
import type { Queries } from '../../storage/database.ts';
import { invalidCursor } from '../cursors/cursor-tombstones.ts';
import { toEvent } from './event.ts';
import { selectEventAt, selectEventPosition, selectFeedPosition, selectPlacedEvents } from './event-store.ts';

/** An event and its place in the feed of its site. */
export interface PlacedEvent {
  readonly position: number;
  /** The access group that the event is about. */
  readonly groupId: string | null;
  readonly event: Event;
}

/** A place in a feed: after the event with this id. */
export interface FeedPlace {
  readonly position: number;
  /** Undefined before the first event. */
  readonly eventId: string | undefined;
}

/** The place after the last event. */
export async function findEndOfFeed(db: Queries, siteId: string): Promise<FeedPlace> {
  const position = (await selectFeedPosition(db, siteId)) ?? 0;
  return { position, eventId: (await selectEventAt(db, siteId, position))?.id };
}

/** @throws {ApiError} `invalid_cursor` when the event is not in the feed, for example because it was purged */
export async function findPlaceAfter(db: Queries, siteId: string, eventId: string): Promise<FeedPlace> {
  const position = await selectEventPosition(db, siteId, eventId);
  if (position === undefined) throw invalidCursor();
  return { position, eventId };
}

/** The next events after a position, in the order of their commits. */
export async function readFeed(
  db: Queries,
  siteId: string,
  position: number,
  limit: number,
): Promise<PlacedEvent[]> {
  const rows = await selectPlacedEvents(db, siteId, position, limit);
  return rows.map((row) => ({ position: row.position, groupId: row.group_id, event: toEvent(row) }));
}
