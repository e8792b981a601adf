import { endsSoonDays } from '@gatehouse/contract/limits';
import { lastDayOf } from '@gatehouse/contract/time-zones';
import { locale } from '../languages/language.ts';
import { lastDayBefore } from './days.ts';
import { browserTimeZone } from './time-zone.ts';

/**
 * The end of something as its last day, or as a time to the minute if it is within a day, in the time zone of the site.
 * The time names that zone unless it is the one of the browser, in which all other times are.
 */
export function endText(at: string, timeZone: string): string {
  const day = lastDayOf(at, timeZone);
  if (day !== undefined) return days.format(new Date(day));
  const time = formatIn(timeZone, minutes, 'short').format(new Date(at));
  return timeZone === ownTimeZone ? time : `${time} ${zoneName(at, timeZone)}`;
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

/** "GMT+1". A format with `dateStyle` and `timeStyle` cannot have it without the seconds. */
function zoneName(at: string, timeZone: string): string {
  const known = zones.get(timeZone);
  const format = known ?? new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: 'short' });
  if (!known) zones.set(timeZone, format);
  return format.formatToParts(new Date(at)).find(({ type }) => type === 'timeZoneName')!.value;
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
const zones: Formats = new Map();
const ownTimeZone = browserTimeZone();
