import { latestTime } from './times.ts';

const dayForm = /^\d{4}-\d\d-\d\d$/;
const nameForm = /^[A-Za-z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+)*$/;
const maxNameLength = 64;
const millisecondsPerMinute = 60_000;
const millisecondsPerDay = 24 * 60 * millisecondsPerMinute;
/** No time zone is further from UTC. */
const maxMinutesFromUtc = 15 * 60;
/** Lists repeat the same few days. */
const maxCachedDays = 5_000;
/** More than there are time zones, and fewer than there are ways to write their names. */
const maxCachedFormats = 700;

/** The formats by time zone: creating one takes much longer than using it. */
const formats = new Map<string, Intl.DateTimeFormat>();
/** The starts of days, by zone and day. */
const starts = new Map<string, string | undefined>();

/** Whether a text is a name in the IANA time zone database, such as `Europe/Paris`. */
export function isTimeZone(text: string): boolean {
  if (text.length > maxNameLength || !nameForm.test(text)) return false;
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: text }));
  } catch {
    return false;
  }
}

/**
 * The first instant of a day (`2026-01-31`) in a time zone. It is not always 0:00, because some zones skip that hour
 * when clocks change. Undefined if there is no such day, or if it starts before 1970 or after 9999 in UTC.
 */
export function startOfDay(day: string, timeZone: string): string | undefined {
  const key = `${timeZone} ${day}`;
  if (starts.has(key)) return starts.get(key);
  const midnight = midnightOf(day);
  const time = midnight === undefined ? undefined : firstInstant(midnight, timeZone);
  const start =
    time === undefined || time < 0 || time > latestTime ? undefined : new Date(time).toISOString();
  if (starts.size >= maxCachedDays) starts.clear();
  starts.set(key, start);
  return start;
}

/** The end of a day in a time zone: the first instant of the next day. Undefined as for `startOfDay`. */
export function endOfDay(day: string, timeZone: string): string | undefined {
  const midnight = midnightOf(day);
  if (midnight === undefined) return undefined;
  const next = new Date(midnight + millisecondsPerDay);
  // The day after 9999-12-31 has five digits.
  return next.getUTCFullYear() > 9999 ? undefined : startOfDay(next.toISOString().slice(0, 10), timeZone);
}

/** The day (`2026-01-31`) of an instant in a time zone. 9999-12-31 also for the day after it, which has no such form. */
export function dayOf(instant: string, timeZone: string): string {
  return dayAt(Date.parse(instant), timeZone);
}

/** The day whose end is this instant in a time zone; undefined if the instant is not the first one of a day. */
export function dayEndingAt(instant: string, timeZone: string): string | undefined {
  const time = Date.parse(instant);
  const day = dayAt(time - 1, timeZone);
  const end = endOfDay(day, timeZone);
  return end !== undefined && Date.parse(end) === time ? day : undefined;
}

/**
 * The last day of what ends at an instant, in a time zone; undefined if that is within a day. One millisecond before the
 * end of a day counts too: before sites had time zones, the dashboard stored days in that form.
 */
export function lastDayOf(instant: string, timeZone: string): string | undefined {
  const next = new Date(Date.parse(instant) + 1).toISOString();
  return dayEndingAt(instant, timeZone) ?? dayEndingAt(next, timeZone);
}

/**
 * The instant at which clocks in a time zone show a time. Of two such instants the earlier one; a time that clocks skip
 * is read as if they had not changed yet (RFC 5545, section 3.3.5).
 * @param clock milliseconds since 1970 of the same date and time in UTC
 */
export function instantOf(clock: number, timeZone: string): number {
  if (timeZone === 'UTC') return clock;
  const before = offsetAt(clock - millisecondsPerDay, timeZone);
  const after = offsetAt(clock + millisecondsPerDay, timeZone);
  const matching = [clock - before, clock - after].filter(
    (time) => time + offsetAt(time, timeZone) === clock,
  );
  return matching.length === 0 ? clock - before : Math.min(...matching);
}

function midnightOf(day: string): number | undefined {
  const time = dayForm.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
  // JavaScript reads February 30 as March 1 or 2.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day) ? time : undefined;
}

function firstInstant(midnight: number, timeZone: string): number {
  const time = instantOf(midnight, timeZone);
  const day = new Date(midnight).toISOString().slice(0, 10);
  if (dayAt(time, timeZone) === day && dayAt(time - 1, timeZone) < day) return time;
  let low = -maxMinutesFromUtc;
  let high = maxMinutesFromUtc;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (dayAt(midnight + middle * millisecondsPerMinute, timeZone) >= day) high = middle;
    else low = middle + 1;
  }
  return midnight + low * millisecondsPerMinute;
}

function dayAt(time: number, timeZone: string): string {
  const day = new Date(time + offsetAt(time, timeZone));
  return day.getUTCFullYear() > 9999 ? '9999-12-31' : day.toISOString().slice(0, 10);
}

/** The difference between clocks in a time zone and UTC at an instant, in milliseconds. */
function offsetAt(time: number, timeZone: string): number {
  if (timeZone === 'UTC') return 0;
  const part = new Map(
    formatOf(timeZone)
      .formatToParts(time)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const clock = Date.UTC(
    part.get('year')!,
    part.get('month')! - 1,
    part.get('day'),
    part.get('hour'),
    part.get('minute'),
    part.get('second'),
  );
  return clock - Math.floor(time / 1000) * 1000;
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const format = new Intl.DateTimeFormat('en', {
    timeZone,
    calendar: 'iso8601',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  if (formats.size >= maxCachedFormats) formats.clear();
  formats.set(timeZone, format);
  return format;
}
