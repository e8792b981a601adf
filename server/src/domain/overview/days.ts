import { invalidRequest } from '../../base/api-error.ts';
import { type Timestamp, timestampAfter } from '../../base/clock.ts';
import type { TimeSpan } from '../../storage/counts.ts';

/** A day in a time zone: from its start to the start of the next day. */
export interface Day extends TimeSpan {
  /** `2026-01-31` */
  readonly date: string;
}

const millisecondsPerMinute = 60_000;
const millisecondsPerDay = 24 * 60 * millisecondsPerMinute;
/** No time zone is further from UTC. */
const maxMinutesFromUtc = 15 * 60;

/**
 * The last days in a time zone, oldest first; the last one is the day of `now`. @throws {ApiError} `invalid_request`
 */
export function lastDays(count: number, timeZone: string, now: Timestamp): Day[] {
  const dateAt = dateReader(timeZone);
  const today = Date.parse(dateAt(Date.parse(now)));
  const starts = Array.from({ length: count + 1 }, (_, index) =>
    startOf(today - (count - 1 - index) * millisecondsPerDay, dateAt),
  );
  return starts
    .slice(0, -1)
    .map(({ date, start }, index) => ({ date, start, end: starts[index + 1]!.start }));
}

/** The start of a date. It is not always 0:00, because some time zones skip that hour when clocks change. */
function startOf(utcMidnight: number, dateAt: (time: number) => string): { date: string; start: Timestamp } {
  const midnight = new Date(utcMidnight).toISOString();
  const date = midnight.slice(0, 10);
  let low = -maxMinutesFromUtc;
  let high = maxMinutesFromUtc;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (dateAt(utcMidnight + middle * millisecondsPerMinute) >= date) high = middle;
    else low = middle + 1;
  }
  return { date, start: timestampAfter(midnight, low * millisecondsPerMinute) };
}

/** Returns a function that gives the date at a time. @throws {ApiError} `invalid_request` */
function dateReader(timeZone: string): (time: number) => string {
  const format = formatFor(timeZone);
  return (time) => {
    const parts = new Map(format.formatToParts(time).map(({ type, value }) => [type, value]));
    return `${parts.get('year')}-${parts.get('month')}-${parts.get('day')}`;
  };
}

function formatFor(timeZone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en', {
      timeZone,
      calendar: 'iso8601',
      numberingSystem: 'latn',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    });
  } catch {
    throw invalidRequest(
      '/timeZone',
      'timeZone must be a name in the IANA time zone database, such as Europe/Paris.',
    );
  }
}
