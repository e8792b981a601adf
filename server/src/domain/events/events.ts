import type { Event } from '@gatehouse/contract';
import { millisecondsPerDay, type Timestamp, timestampAfter, timestampBefore } from '../../base/clock.ts';
import { type Page, toPage } from '../../base/page.ts';
import type { Queries, Transaction } from '../../storage/database.ts';
import type { SiteData, SiteView } from '../../storage/site-view.ts';
import { invalidCursor } from '../cursors/cursor-tombstones.ts';
import { toEvent } from './event.ts';
import {
  deleteEventsBefore,
  type EventFilter,
  type Span,
  selectEnds,
  selectEventFrom,
  selectEventPosition,
  selectEvents,
  selectEventsAt,
  selectSitesWithEventsBefore,
  updateOldestEvent,
} from './event-store.ts';

export {
  countDoneByOperators,
  eraseInvitations,
  eraseMemberData,
  insertEventHead,
  selectFeedPosition as findFeedPosition,
} from './event-store.ts';

/** An event stays for one more day after it is no longer listed, so that a cursor on it still works. */
const unlistedDays = 1;

export interface EventPageQuery extends EventFilter {
  readonly after?: string;
  readonly limit: number;
}

export interface EventQuery extends EventPageQuery {
  readonly order: 'asc' | 'desc';
}

/**
 * Lists the events of a site in the order they were committed, without gaps, or in reverse.
 * @throws {ApiError} `invalid_cursor`
 */
export async function listEvents(
  view: SiteView,
  query: EventQuery,
  retentionDays: number,
): Promise<Page<Event>> {
  const { order, limit } = query;
  const { filter, span } = await findFeedRange(view, query, order, retentionDays);
  return toPage(await selectEvents(view, filter, span, order, limit + 1), limit, toEvent);
}

/**
 * The range of the feed in which to look for a page of events, and the filter to use.
 * @throws {ApiError} `invalid_cursor`
 */
export async function findFeedRange(
  view: SiteView,
  query: EventPageQuery,
  order: EventQuery['order'],
  retentionDays: number,
): Promise<{ filter: EventFilter; span: Span }> {
  const { after } = query;
  const position = after === undefined ? undefined : await selectEventPosition(view, after);
  if (after !== undefined && position === undefined) throw invalidCursor();
  const listedSince = timestampBefore(view.now, retentionDays * millisecondsPerDay);
  const since = query.since !== undefined && query.since > listedSince ? query.since : listedSince;
  const span = rangeAfter(position, await findSpan(view, query), order);
  return { filter: { ...query, since }, span };
}

/** The rest of a range after the reader's position. */
function rangeAfter(position: number | undefined, { after, before }: Span, order: EventQuery['order']): Span {
  if (position === undefined) return { after, before };
  return order === 'asc'
    ? { after: Math.max(after, position), before }
    : { after, before: Math.min(before, position) };
}

/** Those of the events at the given positions that are still stored. */
export async function findEventsAt(
  view: SiteData,
  positions: readonly number[],
): Promise<{ position: number; event: Event }[]> {
  if (positions.length === 0) return [];
  const rows = await selectEventsAt(view, positions);
  return rows.map((row) => ({ position: row.position, event: toEvent(row) }));
}

/** A few sites with expired events. */
export function findSitesWithOldEvents(
  db: Queries,
  retentionDays: number,
  now: Timestamp,
  limit: number,
): Promise<{ siteId: string }[]> {
  return selectSitesWithEventsBefore(db, oldestEvent(retentionDays, now), limit);
}

/** Deletes a few expired events of a site. The site is found again while there are more. */
export async function purgeEvents(
  view: SiteView<Transaction>,
  retentionDays: number,
  limit: number,
): Promise<void> {
  const { now } = view;
  const deleted = await deleteEventsBefore(view, oldestEvent(retentionDays, now), limit);
  if (deleted < limit) await updateOldestEvent(view);
}

function oldestEvent(retentionDays: number, now: Timestamp): Timestamp {
  return timestampBefore(now, (retentionDays + unlistedDays) * millisecondsPerDay);
}

/** Events are in the order of their commits, which differs from the order of their times by less than this. */
const maxDisorderMilliseconds = 60_000;

/** The range of the feed that can contain events of a time span, so that other events need not be read. */
async function findSpan(view: SiteData, { since, until }: EventFilter): Promise<Span> {
  const everything = { after: 0, before: Number.MAX_SAFE_INTEGER };
  const ends = since === undefined && until === undefined ? undefined : await selectEnds(view);
  if (!ends) return everything;
  const find = (time: Timestamp) => firstPositionSince(view, time, ends);
  return {
    after:
      since === undefined
        ? everything.after
        : (await find(timestampBefore(since, maxDisorderMilliseconds))) - 1,
    before:
      until === undefined ? everything.before : await find(timestampAfter(until, maxDisorderMilliseconds)),
  };
}

/** Finds the first event at or after a time by binary search. Returns a position after the end when there is none. */
async function firstPositionSince(
  view: SiteData,
  time: Timestamp,
  { first, last }: { first: number; last: number },
): Promise<number> {
  let low = first;
  let high = last + 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const event = await selectEventFrom(view, middle);
    if (event === undefined || event.occurred_at >= time) high = middle;
    else low = event.position + 1;
  }
  return low;
}
