import { endOfDay, isTimeZone, lastDayOf, startOfDay } from '@gatehouse/contract/time-zones';
import type { Command } from 'commander';
import { WrongUsage } from '../../app/failure.ts';
import { type Timestamp, timestampAfter } from '../../base/clock.ts';
import { isDay, parseDuration, parseTimeOrDay } from './duration.ts';

export interface ExpiryOptions {
  readonly expiresIn?: number;
  /** A time, or the last day. */
  readonly expiresAt?: string;
}

export function addExpiryOptions(command: Command): Command {
  return command
    .option('--expires-in <duration>', 'how long it is valid, such as 90d', parseDuration)
    .option(
      '--expires-at <time>',
      'the last day on which it is valid, such as 2027-01-31, or the time at which it expires',
      parseTimeOrDay,
    );
}

/** When something that is created now expires: a time, or the last day; null for never. @throws {WrongUsage} */
export function expiryOf({ expiresIn, expiresAt }: ExpiryOptions): string | null {
  if (expiresIn !== undefined && expiresAt !== undefined) {
    throw new WrongUsage('Use either --expires-in or --expires-at.');
  }
  if (expiresIn === 0) throw new WrongUsage('Use a duration longer than 0 for --expires-in.');
  return expiresIn === undefined ? (expiresAt ?? null) : timestampAfter(new Date().toISOString(), expiresIn);
}

/** The time of an expiry. A last day ends in the time zone of the site. */
export function endOf(expiry: string, timeZone: string): Timestamp {
  return isDay(expiry) ? boundOf(expiry, 'end', timeZone, '--expires-at') : expiry;
}

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

/** The sentence about the end of a new credential. */
export function describeExpiry(expiresAt: Timestamp | null, timeZone: string | undefined): string {
  return expiresAt === null ? 'Does not expire.' : `Valid until ${untilText(expiresAt, timeZone)}.`;
}
