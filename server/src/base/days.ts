import { dayOf, startOfDay } from '@gatehouse/contract/time-zones';
import { invalidRequest } from './api-error.ts';
import { millisecondsPerDay, type Timestamp } from './clock.ts';

/** From `start` (inclusive) to `end` (exclusive). */
export interface TimeSpan {
  readonly start: Timestamp;
  readonly end: Timestamp;
}

/** A day in a time zone: from its start to the start of the next day. */
export interface Day extends TimeSpan {
  /** `2026-01-31` */
  readonly date: string;
}

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

/** When the month of `now` ends in a time zone: the first instant of the next month. */
export function endOfMonth(timeZone: string, now: Timestamp): Timestamp {
  const [year, month] = todayIn(timeZone, now).split('-');
  return startOfDay(new Date(Date.UTC(Number(year), Number(month), 1)).toISOString().slice(0, 10), timeZone)!;
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
