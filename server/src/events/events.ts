import type { Event } from '@gatehouse/contract';
import type { Cause } from '../base/cause.ts';
import { millisecondsPerDay, type Timestamp, timestampBefore } from '../base/clock.ts';
import { invalidCursor } from '../routing/departed-items.ts';
import { type Page, toPage } from '../routing/page.ts';
import type { Queries, Transaction } from '../storage/database.ts';
import { type NewEvent, toEvent } from './event.ts';
import {
  deleteEventsBefore,
  type EventFilter,
  insertEvents,
  selectEventPosition,
  selectEvents,
} from './event-store.ts';

export { eraseMemberData, insertEventHead } from './event-store.ts';

/** An event that is no longer listed stays one more day, so that a reader who stands on it can go on. */
const unlistedDays = 1;

/**
 * Writes events in the transaction of the change they tell of. Call it last: from here to the commit the site's other
 * writers wait, which makes the order of the feed the order of the commits.
 */
export async function recordEvents(
  tx: Transaction,
  siteId: string,
  cause: Cause,
  events: readonly NewEvent[],
): Promise<void> {
  if (events.length > 0) await insertEvents(tx, siteId, cause, events);
}

export interface EventQuery extends EventFilter {
  readonly after?: string;
  readonly limit: number;
}

/**
 * Lists a site's events, oldest first, in the order they were committed, without gaps.
 * @throws Refusal `invalid_cursor`
 */
export async function listEvents(
  db: Queries,
  siteId: string,
  query: EventQuery,
  retentionDays: number,
  now: Timestamp,
): Promise<Page<Event>> {
  const position = query.after === undefined ? 0 : await selectEventPosition(db, siteId, query.after);
  if (position === undefined) throw invalidCursor();
  const visibleSince = timestampBefore(now, retentionDays * millisecondsPerDay);
  const rows = await selectEvents(db, siteId, query, position, visibleSince, query.limit + 1);
  return toPage(rows, query.limit, toEvent);
}

/** Deletes a few events past their time. Gives how many. */
export function pruneEvents(
  tx: Transaction,
  siteId: string,
  retentionDays: number,
  now: Timestamp,
  limit: number,
): Promise<number> {
  const time = timestampBefore(now, (retentionDays + unlistedDays) * millisecondsPerDay);
  return deleteEventsBefore(tx, siteId, time, limit);
}
