import { endOfDay, instantOf, startOfDay } from '@gatehouse/contract/time-zones';
import { latestTime } from '@gatehouse/contract/times';
import { meansNoEnd, meansNothing } from './words.ts';
import { type DateOrder, dayIn, parseWrittenTime, type WrittenTime } from './written-times.ts';

/** What a list says about its times. */
export interface TimeReading {
  /** Null if it is not known; only some dates need it. */
  readonly dateOrder: DateOrder | null;
  /** The zone of days (IANA name). */
  readonly timeZone: string;
  /** The zone of times of day that name none. */
  readonly clockTimeZone: string;
}

/** Why a time cannot be used; `invalid`: it is not a time that can be read, or not one in the order of the list. */
export type TimeProblem = 'invalid' | 'unclear' | 'early' | 'future';

/** Already over, whatever the current time is. */
const earliestEnd = new Date(0).toISOString();
const millisecondsPerDay = 24 * 60 * 60_000;
/** Lists repeat the same few days; finding out what clocks show takes much longer than looking it up. */
const maxCachedOffsets = 5_000;
const offsets = new Map<string, number | undefined>();
/** Two digits of a year are in the last century rather than further in the future of a registration. */
const maxYearsAhead = 10;

/**
 * The time of a registration: a day means its start. Undefined if the cell says that there is none.
 * @returns `early` if it is before 1970, which the service cannot store
 */
export function parseRegistration(
  cell: string,
  reading: TimeReading,
  now: Date,
): { readonly time?: string; readonly problem?: TimeProblem } {
  if (meansNothing(cell)) return {};
  const written = readDay(cell, reading);
  if (typeof written === 'string') return { problem: written };
  const { midnight, hasShortYear } = written;
  if (hasShortYear && yearOf(midnight) > now.getUTCFullYear() + maxYearsAhead) return { problem: 'early' };
  const time = written.form === 'day' ? startOf(midnight, reading) : instantIn(written, reading);
  // East of UTC, the first day of 1970 begins before 1970 does in UTC.
  const earliest = midnight < 0 ? time : Math.max(time, 0);
  if (earliest < 0) return { problem: 'early' };
  return earliest > now.getTime() ? { problem: 'future' } : { time: new Date(earliest).toISOString() };
}

/** The first instant of a day; its midnight in UTC if the service does not support it. */
function startOf(midnight: number, { timeZone }: TimeReading): number {
  const start = startOfDay(dayText(midnight), timeZone);
  return start === undefined ? midnight : Date.parse(start);
}

/**
 * The end of a membership: a day means its end. Null if it never ends, undefined if it cannot be read. An end before
 * 1970 is read as 1970, and one after the latest time that the service supports never comes.
 */
export function parseEnd(cell: string, reading: TimeReading): string | null | undefined {
  const end = readEnd(cell, reading);
  return isProblem(end) ? undefined : end;
}

/** Why an end cannot be read; undefined if it can. */
export function endProblem(cell: string, reading: TimeReading): TimeProblem | undefined {
  const end = readEnd(cell, reading);
  return isProblem(end) ? end : undefined;
}

type EndProblem = Extract<TimeProblem, 'invalid' | 'unclear'>;

function readEnd(cell: string, reading: TimeReading): string | null | EndProblem {
  if (meansNoEnd(cell)) return null;
  const written = readDay(cell, reading);
  if (typeof written === 'string') return written;
  const { form, midnight, hasShortYear } = written;
  // 99 could be the last century or, for someone whose membership never ends, this one.
  if (hasShortYear && yearOf(midnight) < 2000) return 'invalid';
  const time = form === 'day' ? midnight : instantIn(written, reading);
  if (time < 0) return earliestEnd;
  if (form === 'day') return endOfDay(dayText(midnight), reading.timeZone) ?? null;
  return time > latestTime ? null : new Date(time).toISOString();
}

function isProblem(end: string | null): end is EndProblem {
  return end === 'invalid' || end === 'unclear';
}

interface ReadDay {
  readonly form: WrittenTime['form'];
  /** In UTC, in milliseconds since 1970. */
  readonly midnight: number;
  readonly milliseconds: number;
  readonly hasShortYear: boolean;
}

function readDay(cell: string, { dateOrder }: TimeReading): ReadDay | EndProblem {
  const written = parseWrittenTime(cell);
  const midnight = written && dayIn(written.day, dateOrder);
  if (midnight === undefined) return 'invalid';
  if (midnight === 'unclear') return 'unclear';
  const { form, day } = written!;
  const milliseconds = written!.form === 'day' ? 0 : written!.milliseconds;
  return { form, midnight, milliseconds, hasShortYear: day.hasShortYear };
}

function instantIn({ form, midnight, milliseconds }: ReadDay, { clockTimeZone }: TimeReading): number {
  const clock = midnight + milliseconds;
  if (form === 'instant') return clock;
  const offset = offsetOn(midnight, clockTimeZone);
  return offset === undefined ? instantOf(clock, clockTimeZone) : clock + offset;
}

/** How much later a day begins than in UTC; undefined if clocks change on it. */
function offsetOn(midnight: number, timeZone: string): number | undefined {
  const key = `${timeZone} ${midnight}`;
  if (offsets.has(key)) return offsets.get(key);
  const next = midnight + millisecondsPerDay;
  const [start, end] = [instantOf(midnight, timeZone) - midnight, instantOf(next, timeZone) - next];
  const offset = start === end ? start : undefined;
  if (offsets.size >= maxCachedOffsets) offsets.clear();
  offsets.set(key, offset);
  return offset;
}

function yearOf(time: number): number {
  return new Date(time).getUTCFullYear();
}

function dayText(midnight: number): string {
  return new Date(midnight).toISOString().slice(0, 10);
}
