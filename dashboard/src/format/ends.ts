import { lastDayOf } from '@gatehouse/contract/time-zones';
import { locale } from '../languages/language.ts';

/** The end of something as its last day, or as a time if it is within a day, in the time zone of the site. */
export function endText(at: string, timeZone: string): string {
  const day = lastDayOf(at, timeZone);
  return day === undefined ? momentText(at, timeZone) : days.format(new Date(day));
}

const soonDays = 14;

/** Whether an end is less than 14 days away, and not past. */
export function endsSoon(at: string, now: Date): boolean {
  const left = Date.parse(at) - now.getTime();
  return left > 0 && left < soonDays * 86_400_000;
}

/** The date and time of an instant in a time zone, with its name. */
export function momentText(at: string, timeZone: string): string {
  const known = moments.get(timeZone);
  const format =
    known ?? new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'long', timeZone });
  if (!known) moments.set(timeZone, format);
  return format.format(new Date(at));
}

/** For days without a time, which are read as UTC. */
const days = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
/** The formats by time zone: creating one takes much longer than using it. */
const moments = new Map<string, Intl.DateTimeFormat>();
