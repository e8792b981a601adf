import type { Actor, EventFilter } from '@gatehouse/client';

export type ActorType = Actor['type'];

/** The search parameters of the page: the filters. Days are in the viewer's time zone; the last one is included. */
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
export function toEventFilter({ since, until, type, actorType, ...ids }: EventsSearch): EventFilter {
  return {
    ...ids,
    type: type as EventFilter['type'],
    actorType: actorType as EventFilter['actorType'],
    since: since && startOf(since, 0),
    until: until && startOf(until, 1),
    order: 'desc',
  };
}

/** The start of a day in the viewer's time zone, a number of days later. */
function startOf(text: string, daysLater: number): string {
  const [year, month, date] = text.split('-').map(Number);
  return new Date(year!, month! - 1, date! + daysLater).toISOString();
}

function isDay(name: string): boolean {
  return name === 'since' || name === 'until';
}

function isRealDay(text: string): boolean {
  return day.test(text) && !Number.isNaN(Date.parse(text));
}
