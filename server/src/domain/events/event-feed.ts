import type { Event } from '@gatehouse/contract';
import type { SiteData } from '../../storage/site-view.ts';
import { invalidCursor } from '../cursors/cursor-tombstones.ts';
import { toEvent } from './event.ts';
import { selectEventAt, selectEventPosition, selectFeedEvents, selectFeedPosition } from './event-store.ts';

/** An event and its position in the feed of its site. */
export interface FeedEvent {
  readonly position: number;
  /** The access group that the event is about. */
  readonly groupId: string | null;
  readonly event: Event;
}

/** Where a reader of a feed is: after the event with this id. */
export interface FeedCursor {
  readonly position: number;
  /** Undefined before the first event. */
  readonly eventId: string | undefined;
}

/** Stands for the place before the first event of a feed where the id of an event is expected. */
export const beginningOfFeed = '00000000-0000-0000-0000-000000000000';

/**
 * Where a reader begins: after the event with this id, or at the end of the feed.
 * @throws {ApiError} `invalid_cursor` as `findCursorAfter`
 */
export async function findStart(view: SiteData, after: string | undefined): Promise<FeedCursor> {
  if (after === undefined) return findEndOfFeed(view);
  if (after === beginningOfFeed) return { position: 0, eventId: undefined };
  return findCursorAfter(view, after.toLowerCase());
}

/** The end of a feed. */
export async function findEndOfFeed(view: SiteData): Promise<FeedCursor> {
  const position = (await selectFeedPosition(view)) ?? 0;
  return { position, eventId: (await selectEventAt(view, position))?.id };
}

/** @throws {ApiError} `invalid_cursor` when the event is not in the feed, for example because it was purged */
export async function findCursorAfter(view: SiteData, eventId: string): Promise<FeedCursor> {
  const position = await selectEventPosition(view, eventId);
  if (position === undefined) throw invalidCursor();
  return { position, eventId };
}

/** The event at a position; undefined if it was purged. */
export async function findFeedEvent(view: SiteData, position: number): Promise<FeedEvent | undefined> {
  const [event] = await readFeed(view, position - 1, 1);
  return event?.position === position ? event : undefined;
}

/** The next events after a position, in the order of their commits. */
export async function readFeed(view: SiteData, position: number, limit: number): Promise<FeedEvent[]> {
  const rows = await selectFeedEvents(view, position, limit);
  return rows.map((row) => ({ position: row.position, groupId: row.group_id, event: toEvent(row) }));
}
