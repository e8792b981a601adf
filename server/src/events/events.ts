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
  type Span,
  selectEnds,
  selectEventFrom,
  selectEventPosition,
  selectEvents,
} from './event-store.ts';

export { eraseInvitations, eraseMemberData, insertEventHead } from './event-store.ts';

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

export interface EventPageQuery extends EventFilter {
  readonly after?: string;
  readonly limit: number;
}

export interface EventQuery extends EventPageQuery {
  readonly order: 'asc' | 'desc';
}

/**
 * Lists a site's events in the order they were committed, without gaps, or in the opposite one.
 * @throws Refusal `invalid_cursor`
 */
export async function listEvents(
  db: Queries,
  siteId: string,
  query: EventQuery,
  retentionDays: number,
  now: Timestamp,
): Promise<Page<Event>> {
  const { order, limit } = query;
  const { filter, span } = await findStretch(db, siteId, query, order, retentionDays, now);
  return toPage(await selectEvents(db, siteId, filter, span, order, limit + 1), limit, toEvent);
}

/**
 * Where in the feed a page of events is to be found, and by which filter.
 * @throws Refusal `invalid_cursor`
 */
export async function findStretch(
  db: Queries,
  siteId: string,
  query: EventPageQuery,
  order: EventQuery['order'],
  retentionDays: number,
  now: Timestamp,
): Promise<{ filter: EventFilter; span: Span }> {
  const { after } = query;
  const position = after === undefined ? undefined : await selectEventPosition(db, siteId, after);
  if (after !== undefined && position === undefined) throw invalidCursor();
  const listedSince = timestampBefore(now, retentionDays * millisecondsPerDay);
  const since = query.since !== undefined && query.since > listedSince ? query.since : listedSince;
  const span = beyond(position, await findSpan(db, siteId, query), order);
  return { filter: { ...query, since }, span };
}

/** What is left of a stretch of the feed for a reader who has come to a position. */
function beyond(position: number | undefined, { after, before }: Span, order: EventQuery['order']): Span {
  if (position === undefined) return { after, before };
  return order === 'asc'
    ? { after: Math.max(after, position), before }
    : { after, before: Math.min(before, position) };
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

/** Events stand in the order of their commits, which differs from that of their times by less than this. */
const largestDisorderMilliseconds = 60_000;

/** The stretch of the feed that can hold events of a time, so that a walk need not pass by all the others. */
async function findSpan(db: Queries, siteId: string, { since, until }: EventFilter): Promise<Span> {
  const whole = { after: 0, before: Number.MAX_SAFE_INTEGER };
  const ends = since === undefined && until === undefined ? undefined : await selectEnds(db, siteId);
  if (!ends) return whole;
  const find = (time: Timestamp) => firstPositionSince(db, siteId, time, ends);
  return {
    after:
      since === undefined
        ? whole.after
        : (await find(timestampBefore(since, largestDisorderMilliseconds))) - 1,
    before:
      until === undefined ? whole.before : await find(timestampBefore(until, -largestDisorderMilliseconds)),
  };
}

/** Halves the feed until the first event at or after a time is found. Past the end when there is none. */
async function firstPositionSince(
  db: Queries,
  siteId: string,
  time: Timestamp,
  { first, last }: { first: number; last: number },
): Promise<number> {
  let low = first;
  let high = last + 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const event = await selectEventFrom(db, siteId, middle);
    if (event === undefined || event.occurred_at >= time) high = middle;
    else low = event.position + 1;
  }
  return low;
}
