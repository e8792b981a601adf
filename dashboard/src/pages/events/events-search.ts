import type { Actor, EventFilter } from '@gatehouse/client';
import { endOfDay, startOfDay } from '@gatehouse/contract/time-zones';

export type ActorType = Actor['type'];

/** The search parameters of the page: the filters. Days are in the time zone of the site; the last one is included. */
export interface EventsSearch {
  type?: string | undefined;
  memberId?: string | undefined;
  groupId?: string | undefined;
  actorType?: string | undefined;
  actorId?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
}

const names = ['type', 'memberId', 'groupId', 'actorType', 'actorId', 'since', 'until'] as const;
/** A year that is being typed is not complete yet; no event is older. */
const earliest = '1970-01-01T00:00:00.000Z';
const day = /^\d{4}-\d{2}-\d{2}$/;

/** Parses the search parameters. Invalid ones are left out. */
export function readEventsSearch(search: Record<string, unknown>): EventsSearch {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = search[name];
      const fits = typeof value === 'string' && value !== '' && (!isDay(name) || isRealDay(value));
      return fits ? [[name, value]] : [];
    }),
  );
}

/** The query for the API, newest first. */
export function toEventFilter(
  { since, until, type, actorType, ...ids }: EventsSearch,
  timeZone: string,
): EventFilter {
  return {
    ...ids,
    type: type as EventFilter['type'],
    actorType: actorType as EventFilter['actorType'],
    since: since && startOfDay(since, timeZone),
    until: until && (endOfDay(until, timeZone) ?? (until < '1970' ? earliest : undefined)),
    order: 'desc',
  };
}

function isDay(name: string): boolean {
  return name === 'since' || name === 'until';
}

function isRealDay(text: string): boolean {
  return day.test(text) && !Number.isNaN(Date.parse(text));
}
