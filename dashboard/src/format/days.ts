import { dayOf, endOfDay } from '@gatehouse/contract/time-zones';

/** The maximum of a date field for an end. Without it, Chromium accepts years with six digits. */
export const maxDay = '9999-12-30';

/**
 * The end of a last day that was chosen in a date field, in the time zone of the site. Null for no day; undefined for a
 * day that is past or invalid.
 */
export function chosenEnd(day: string, timeZone: string, now: Date): string | null | undefined {
  if (day === '') return null;
  const end = endOfDay(day, timeZone);
  return end !== undefined && end > now.toISOString() ? end : undefined;
}

/** The current day in a time zone, in the format of a date field. */
export function today(timeZone: string): string {
  return dayOf(new Date().toISOString(), timeZone);
}

/** The end of the day that comes after a number of days, in a time zone. */
export function endInDays(days: number, timeZone: string, now: Date): string {
  const then = new Date(now.getTime() + days * 86_400_000).toISOString();
  return endOfDay(dayOf(then, timeZone), timeZone) ?? then;
}

/**
 * A time just after the end of the current month in a time zone: what ends with its last day ends before.
 */
export function afterThisMonth(timeZone: string, now: Date): string {
  const [year, month] = dayOf(now.toISOString(), timeZone).split('-').map(Number);
  const last = new Date(Date.UTC(year!, month!, 0)).toISOString().slice(0, 10);
  return new Date(Date.parse(endOfDay(last, timeZone)!) + 1).toISOString();
}

/** The last day before an end, or the day of it if that is within a day, in a time zone. */
export function lastDayBefore(end: string, timeZone: string): string {
  return dayOf(new Date(Date.parse(end) - 1).toISOString(), timeZone);
}

/** The day from which a further year of a membership is counted: its last one, unless the year after it is also over. */
export function startOfFurtherYear(end: string | null | undefined, timeZone: string): string {
  const now = today(timeZone);
  if (!end) return now;
  const last = lastDayBefore(end, timeZone);
  return yearAfter(last) > now ? last : now;
}

/** The same day of the next year; the last of February for the 29th. */
export function yearAfter(day: string): string {
  const year = String(Number(day.slice(0, 4)) + 1).padStart(4, '0');
  const same = `${year}${day.slice(4)}`;
  return endOfDay(same, 'UTC') === undefined ? `${year}-02-28` : same;
}

/** The last day of the current year in a time zone. */
export function lastOfYear(timeZone: string): string {
  return `${today(timeZone).slice(0, 4)}-12-31`;
}
