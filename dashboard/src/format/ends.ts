import { endsSoonDays } from '@gatehouse/contract/limits';
import { lastDayOf } from '@gatehouse/contract/time-zones';
import { locale } from '../languages/language.ts';
import { lastDayBefore } from './days.ts';

/**
 * The end of something as its last day, or as a time to the minute if it is within a day, in the time zone of the site.
 */
export function endText(at: string, timeZone: string): string {
  const day = lastDayOf(at, timeZone);
  return day === undefined
    ? formatIn(timeZone, minutes, 'short').format(new Date(at))
    : days.format(new Date(day));
}

/** The day on which something ends. */
export function endDay(at: string, timeZone: string): string {
  return days.format(new Date(lastDayBefore(at, timeZone)));
}

/** The day on which something ends within a year, without the year. */
export function shortEndDay(at: string, timeZone: string): string {
  return shortDays.format(new Date(lastDayBefore(at, timeZone)));
}

/** Whether an end is so near that it is marked, and not past. */
export function endsSoon(at: string, now: Date): boolean {
  const left = Date.parse(at) - now.getTime();
  return left > 0 && left < endsSoonDays * 86_400_000;
}

/** The date and time of an instant in a time zone, with its name. */
export function momentText(at: string, timeZone: string): string {
  return formatIn(timeZone, moments, 'long').format(new Date(at));
}

type Formats = Map<string, Intl.DateTimeFormat>;

function formatIn(timeZone: string, formats: Formats, timeStyle: 'short' | 'long'): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  const format = known ?? new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle, timeZone });
  if (!known) formats.set(timeZone, format);
  return format;
}

/** For days without a time, which are read as UTC. */
const days = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
const shortDays = new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric', timeZone: 'UTC' });
/** The formats by time zone: creating one takes much longer than using it. */
const moments: Formats = new Map();
const minutes: Formats = new Map();
