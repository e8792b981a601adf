import { endOfDay, isTimeZone, lastDayOf, startOfDay } from '@gatehouse/contract/time-zones';
import { WrongUsage } from '../../app/failure.ts';
import type { Timestamp } from '../../base/clock.ts';
import { isDay } from './duration.ts';

/** The start or the end of a day in the time zone of the site. @throws {WrongUsage} names the flag */
export function boundOf(day: string, bound: 'start' | 'end', timeZone: string, flag: string): Timestamp {
  if (!isTimeZone(timeZone)) {
    throw new WrongUsage(
      `This version of Gatehouse does not know ${timeZone}, the time zone of the site. Use a time for ${flag}, such as 2027-01-31T09:30:00Z.`,
    );
  }
  const time = bound === 'end' ? endOfDay(day, timeZone) : startOfDay(day, timeZone);
  if (time === undefined) throw new WrongUsage(`${day} is not possible for ${flag}.`);
  return time;
}

/** An end as its last day in the time zone of the site, if it has one and the time zone is known; otherwise the time. */
export function endText(expiresAt: Timestamp, timeZone: string | undefined): string {
  return (timeZone !== undefined && isTimeZone(timeZone) && lastDayOf(expiresAt, timeZone)) || expiresAt;
}

/** An end in a sentence: "valid until …". */
export function untilText(expiresAt: Timestamp, timeZone: string | undefined): string {
  const text = endText(expiresAt, timeZone);
  return isDay(text) ? `the end of ${text} (${timeZone})` : text;
}
