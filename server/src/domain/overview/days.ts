import { dayOf, startOfDay } from '@gatehouse/contract/time-zones';
import { invalidRequest } from '../../base/api-error.ts';
import type { Timestamp } from '../../base/clock.ts';
import type { TimeSpan } from '../../storage/sql/counts.ts';

/** A day in a time zone: from its start to the start of the next day. */
export interface Day extends TimeSpan {
  /** `2026-01-31` */
  readonly date: string;
}

const millisecondsPerDay = 24 * 60 * 60_000;

/**
 * The last days in a time zone, oldest first; the last one is the day of `now`. @throws {ApiError} `invalid_request`
 */
export function lastDays(count: number, timeZone: string, now: Timestamp): Day[] {
  const today = Date.parse(todayIn(timeZone, now));
  const starts = Array.from({ length: count + 1 }, (_, index) => {
    const date = new Date(today - (count - 1 - index) * millisecondsPerDay).toISOString().slice(0, 10);
    return { date, start: startOfDay(date, timeZone)! };
  });
  return starts
    .slice(0, -1)
    .map(({ date, start }, index) => ({ date, start, end: starts[index + 1]!.start }));
}

function todayIn(timeZone: string, now: Timestamp): string {
  try {
    return dayOf(now, timeZone);
  } catch {
    throw invalidRequest(
      '/timeZone',
      'timeZone must be a name in the IANA time zone database, such as Europe/Paris.',
    );
  }
}
