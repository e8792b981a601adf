import { startOfDay } from '@gatehouse/contract/time-zones';
import { InvalidArgumentError } from 'commander';
import { toTimestamp } from '../../base/clock.ts';

const unitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 };
const maxDays = 36_500;

/** Reads `90d`, `24h`, `30m`, `10s`, `2w` or `0` as milliseconds, for an option. */
export function parseDuration(text: string): number {
  const [, digits, unit] = /^(\d{1,9})([smhdw])$/.exec(text.trim()) ?? [];
  const seconds = text.trim() === '0' ? 0 : Number(digits) * unitSeconds[unit ?? '']!;
  if (seconds <= maxDays * 86_400) return seconds * 1_000;
  throw new InvalidArgumentError('Use a number with a unit, such as 30m, 24h, 90d or 2w.');
}

/** Whether a text has the form of a day, such as `2027-01-31`. */
export function isDay(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text);
}

/** Reads a time, or a day such as `2027-01-31`, which stays as it is; undefined for other texts. */
export function parseTimeOrDay(text: string): string | undefined {
  const [, day, time] = /^(\d{4}-\d\d-\d\d)(T[\d:.]+(?:Z|[+-]\d\d:\d\d))?$/.exec(text) ?? [];
  // JavaScript reads February 30 as March 1 or 2.
  const exists = day !== undefined && startOfDay(day, 'UTC') !== undefined;
  if (!exists) return undefined;
  return time === undefined ? day : toTimestamp(text);
}
