import { dayOf, startOfDay } from '@gatehouse/contract/time-zones';
import { millisecondsPerDay, type Timestamp } from './clock.ts';
import { checkTimeZone } from './text/time-zone.ts';

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
  const zone = zoneOf(timeZone);
  const today = Date.parse(dayOf(now, zone));
  const starts = Array.from({ length: count + 1 }, (_, index) => {
    const date = new Date(today - (count - 1 - index) * millisecondsPerDay).toISOString().slice(0, 10);
    return { date, start: startOfDay(date, zone)! };
  });
  return starts
    .slice(0, -1)
    .map(({ date, start }, index) => ({ date, start, end: starts[index + 1]!.start }));
}

/** When the day begins that is some days before another one. */
export function startOfDayBefore({ date }: Day, days: number, timeZone: string): Timestamp {
  const before = new Date(Date.parse(date) - days * millisecondsPerDay).toISOString().slice(0, 10);
  return startOfDay(before, zoneOf(timeZone))!;
}

/** When the month of `now` ends in a time zone: the first instant of the next month. */
export function endOfMonth(timeZone: string, now: Timestamp): Timestamp {
  const zone = zoneOf(timeZone);
  const [year, month] = dayOf(now, zone).split('-');
  return startOfDay(new Date(Date.UTC(Number(year), Number(month), 1)).toISOString().slice(0, 10), zone)!;
}

/** One spelling for each zone, so that what is computed for a zone is computed once. @throws {ApiError} `invalid_request` */
function zoneOf(timeZone: string): string {
  const name = checkTimeZone(timeZone);
  return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
}
