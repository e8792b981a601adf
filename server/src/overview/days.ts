import { type Timestamp, timestampBefore } from '../base/clock.ts';
import { invalidRequest } from '../base/refusal.ts';
import type { TimeSpan } from '../storage/counts.ts';

/** A day somewhere: from its start up to the start of the next one. */
export interface Day extends TimeSpan {
  /** `2026-01-31` */
  readonly date: string;
}

const millisecondsPerMinute = 60_000;
const millisecondsPerDay = 24 * 60 * millisecondsPerMinute;
/** No time zone is further from UTC. */
const mostMinutesFromUtc = 15 * 60;

/** The last days in a time zone, oldest first; the last one is that of `now`. @throws Refusal `invalid_request` */
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

/** When a date begins: not everywhere at 0:00, as clocks are set forward at that hour too. */
function startOf(utcMidnight: number, dateAt: (time: number) => string): { date: string; start: Timestamp } {
  const midnight = new Date(utcMidnight).toISOString();
  const date = midnight.slice(0, 10);
  let low = -mostMinutesFromUtc;
  let high = mostMinutesFromUtc;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (dateAt(utcMidnight + middle * millisecondsPerMinute) >= date) high = middle;
    else low = middle + 1;
  }
  return { date, start: timestampBefore(midnight, -low * millisecondsPerMinute) };
}

/** Tells the date at a moment. @throws Refusal `invalid_request` */
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
    throw invalidRequest('/timeZone', 'timeZone takes a name of the IANA database, such as Europe/Paris.');
  }
}
