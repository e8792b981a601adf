import { isWeekday, monthNamed, withoutAccents } from './month-names.ts';

/** Which of the first two numbers of a date such as `03/04/2026` is the day. */
export const dateOrders = ['dayFirst', 'monthFirst'] as const;

export type DateOrder = (typeof dateOrders)[number];

/** A day as it is written, as the milliseconds since 1970 of its midnight in UTC; undefined if no day is written in this order. */
export interface WrittenDay extends Readonly<Record<DateOrder, number | undefined>> {
  /** Whether its year has two digits. */
  readonly hasShortYear: boolean;
}

/** A time as it is written, before it is known in which order and zone it is to be read. */
export type WrittenTime =
  | {
      readonly form: 'instant';
      readonly day: WrittenDay /** After midnight in UTC. */;
      readonly milliseconds: number;
    }
  /** A day with a time of day that names no zone. */
  | { readonly form: 'clock'; readonly day: WrittenDay; readonly milliseconds: number }
  | { readonly form: 'day'; readonly day: WrittenDay };

/** How a time is written: what of it a reading has to know. */
export interface TimeForm {
  readonly form: WrittenTime['form'];
  /** The order that its numbers have; null if it is the same day in either order. */
  readonly order: DateOrder | 'either' | null;
}

/** No time is written longer, with all of weekday, fraction and the name of its zone. */
const maxLength = 100;
const millisecondsPerMinute = 60_000;
const millisecondsPerHour = 60 * millisecondsPerMinute;
const millisecondsPerDay = 24 * millisecondsPerHour;
/** The first year that two digits mean: each of them is a year that the service supports. */
const firstShortYear = 1970;

/** How a cell writes a time; undefined if it is none. */
export function timeForm(cell: string): TimeForm | undefined {
  const written = parseWrittenTime(cell);
  return written && { form: written.form, order: orderOf(written.day) };
}

/** The time in a cell; undefined if it is none. */
export function parseWrittenTime(cell: string): WrittenTime | undefined {
  const trimmed = cell.trim();
  if (trimmed.length > maxLength || !/\p{Nd}/u.test(trimmed)) return undefined;
  const text = simplifiedTime(trimmed);
  return epochOf(text) ?? compactOf(text) ?? calendarTime(text);
}

/** A day in the given order; undefined if it is none, or unclear without an order. */
export function dayIn(day: WrittenDay, order: DateOrder | null): number | 'unclear' | undefined {
  if (order !== null) return day[order];
  return orderOf(day) === 'either' ? 'unclear' : (day.dayFirst ?? day.monthFirst);
}

function orderOf({ dayFirst, monthFirst }: WrittenDay): TimeForm['order'] {
  if (dayFirst === monthFirst) return null;
  if (monthFirst === undefined) return 'dayFirst';
  return dayFirst === undefined ? 'monthFirst' : 'either';
}

/** With ASCII digits, lowercase letters without accents, single spaces, and no invisible marks of the writing direction. */
function simplifiedTime(text: string): string {
  return withoutAccents(text.normalize('NFKC').toLowerCase())
    .replaceAll(/[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g, '')
    .replaceAll(/[\u2010-\u2015\u2212]/g, '-')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** Seconds or milliseconds since 1970. */
function epochOf(text: string): WrittenTime | undefined {
  const [, seconds, fraction = '', milliseconds] = /^(?:(\d{9,10})(?:\.(\d+))?|(\d{13}))$/.exec(text) ?? [];
  if (seconds === undefined && milliseconds === undefined) return undefined;
  const time = Number(milliseconds ?? Number(seconds) * 1000 + millisecondsOf(fraction));
  const ofDay = time % millisecondsPerDay;
  return { form: 'instant', day: sameDay(time - ofDay), milliseconds: ofDay };
}

/** `20261231` or `20261231235959Z`. The day or month of another order cannot have the number of a century. */
function compactOf(text: string): WrittenTime | undefined {
  const match = /^((?:19|20|21)\d\d)(\d\d)(\d\d)(?:t?(\d\d)(\d\d)(\d\d)(z?))?$/.exec(text);
  if (!match) return undefined;
  const [, year, month, day, hour, minute, second, zone] = match;
  const written = exactDay(year!, month!, day!);
  if (written === undefined || hour === undefined) return written && { form: 'day', day: written };
  return withTime(written, `t${hour}:${minute}:${second}${zone}`);
}

function calendarTime(text: string): WrittenTime | undefined {
  const [prefix, word] = /^([a-z]{2,12})\.?,? /.exec(text) ?? [''];
  // "mar" is March in some languages and Tuesday in others.
  return (
    timeAt(text) ?? (word !== undefined && isWeekday(word) ? timeAt(text.slice(prefix.length)) : undefined)
  );
}

function timeAt(text: string): WrittenTime | undefined {
  for (const form of dayForms) {
    const match = form.pattern.exec(text);
    const day = match && form.read(match);
    if (day) return withTime(day, text.slice(match[0].length));
  }
  return undefined;
}

interface DayForm {
  /** At the beginning of a text. */
  readonly pattern: RegExp;
  readonly read: (match: RegExpExecArray) => WrittenDay | undefined;
}

/** The forms of days. Dots mean that the day comes first. */
const dayForms: readonly DayForm[] = [
  {
    pattern: /^(\d{4})(-|\/|\. ?)(\d{1,2})\2(\d{1,2})(?!\d)\.?/,
    read: ([, year, , month, day]) => exactDay(year!, month!, day!),
  },
  {
    pattern: /^(\d{4})年 ?(\d{1,2})月 ?(\d{1,2})日/,
    read: ([, year, month, day]) => exactDay(year!, month!, day!),
  },
  {
    pattern: /^(\d{1,2})\. ?(\d{1,2})\. ?(\d{4}|\d\d)(?!\d)/,
    read: ([, day, month, year]) => exactDay(year!, month!, day!),
  },
  {
    // Two digits between dashes could be the year at either end.
    pattern: /^(\d{1,2})(?: ?\/ ?(\d{1,2}) ?\/ ?(\d{4}|\d\d)|-(\d{1,2})-(\d{4}))(?!\d)/,
    read: ([, first, slashed, slashedYear, dashed, dashedYear]) =>
      eitherDay(first!, (slashed ?? dashed)!, (slashedYear ?? dashedYear)!),
  },
  {
    pattern:
      /^(\d{1,2})\.?(?:er|st|nd|rd|th|o)?[ /-]?(?:de |of )?([a-z]{3,12})\.?,?[ /-]?(?:del? )?(\d{4}|\d\d)(?!\d)/,
    read: ([, day, month, year]) => namedDay(year!, month!, day!),
  },
  {
    pattern: /^([a-z]{3,12})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})(?!\d)/,
    read: ([, month, day, year]) => namedDay(year!, month!, day!),
  },
];

function namedDay(year: string, name: string, day: string): WrittenDay | undefined {
  const month = monthNamed(name);
  return month === undefined ? undefined : exactDay(year, String(month), day);
}

function exactDay(year: string, month: string, day: string): WrittenDay | undefined {
  const time = midnightOf(year, month, day);
  return time === undefined ? undefined : sameDay(time, year.length === 2);
}

function eitherDay(first: string, second: string, year: string): WrittenDay | undefined {
  const dayFirst = midnightOf(year, second, first);
  const monthFirst = midnightOf(year, first, second);
  if (dayFirst === undefined && monthFirst === undefined) return undefined;
  return { dayFirst, monthFirst, hasShortYear: year.length === 2 };
}

function sameDay(time: number, hasShortYear = false): WrittenDay {
  return { dayFirst: time, monthFirst: time, hasShortYear };
}

function midnightOf(year: string, month: string, day: string): number | undefined {
  const digits = Number(year);
  const fullYear = year.length === 4 ? digits : firstShortYear + ((digits + 30) % 100);
  const date = new Date(0);
  date.setUTCFullYear(fullYear, Number(month) - 1, Number(day));
  const exists = date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
  return exists ? date.getTime() : undefined;
}

/** What may follow a day: a Japanese weekday, a time of day, and its zone. */
const restForm =
  /^(?: ?\(?[日月火水木金土](?:曜日?)?\)?)?(?:(?:t|,? (?:um |at |a las |a )?|,)(午前|午後)? ?(\d{1,2}):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?(?: uhr)?(?: ?([ap])\.? ?m\.?)?(.*))?$/;

function withTime(day: WrittenDay, rest: string): WrittenTime | undefined {
  const match = restForm.exec(rest);
  if (!match) return undefined;
  const [, japanese, hour, minute, second = '0', fraction = '', latin, zone] = match;
  if (hour === undefined) return { form: 'day', day };
  const hours = hourOf(Number(hour), japanese ?? latin);
  if (hours === undefined || Number(minute) > 59 || Number(second) > 59) return undefined;
  const milliseconds =
    hours * millisecondsPerHour +
    Number(minute) * millisecondsPerMinute +
    Number(second) * 1000 +
    millisecondsOf(fraction);
  if (zone === '') return { form: 'clock', day, milliseconds };
  const offset = offsetOf(zone!);
  return offset === undefined ? undefined : { form: 'instant', day, milliseconds: milliseconds - offset };
}

function millisecondsOf(fraction: string): number {
  return Number(fraction.slice(0, 3).padEnd(3, '0'));
}

/** @param half of the day, with a clock of 12 hours */
function hourOf(hour: number, half: string | undefined): number | undefined {
  if (half === undefined) return hour < 24 ? hour : undefined;
  if (hour < 1 || hour > 12) return undefined;
  return (hour % 12) + (half === 'p' || half === '午後' ? 12 : 0);
}

/** Abbreviations that mean one zone only, in minutes from UTC. */
const abbreviations = new Map(
  Object.entries({ z: 0, utc: 0, gmt: 0, cet: 60, mez: 60, cest: 120, mesz: 120, jst: 540 }),
);
const offsetForm = /^(?:utc|gmt)? ?([+-])(\d{1,2})(?::?(\d\d))?$/;

/** The distance of a zone from UTC in milliseconds; a name in parentheses after it adds nothing. */
function offsetOf(zone: string): number | undefined {
  const text = zone.replace(/ \([^()]*\)$/, '').trim();
  const known = abbreviations.get(text);
  if (known !== undefined) return known * millisecondsPerMinute;
  const [, sign, hours, minutes = '0'] = offsetForm.exec(text) ?? [];
  if (hours === undefined || Number(hours) > 23 || Number(minutes) > 59) return undefined;
  const distance = Number(hours) * millisecondsPerHour + Number(minutes) * millisecondsPerMinute;
  return sign === '-' ? -distance : distance;
}
