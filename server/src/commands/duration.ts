import { InvalidArgumentError } from 'commander';
import { type Timestamp, toTimestamp } from '../base/clock.ts';

const unitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 };
const maxDays = 36_500;

/** Reads `90d`, `24h`, `30m`, `10s`, `2w` or `0` as milliseconds, for an option. */
export function parseDuration(text: string): number {
  const [, digits, unit] = /^(\d{1,9})([smhdw])$/.exec(text.trim()) ?? [];
  const seconds = text.trim() === '0' ? 0 : Number(digits) * unitSeconds[unit ?? '']!;
  if (seconds <= maxDays * 86_400) return seconds * 1_000;
  throw new InvalidArgumentError('Use a number with a unit, such as 30m, 24h, 90d or 2w.');
}

/** Reads a time or a date such as `2027-01-31`, for an option. */
export function parseTime(text: string): Timestamp {
  const time = /^\d{4}-\d\d-\d\d(T[\d:.]+(Z|[+-]\d\d:\d\d))?$/.test(text) ? toTimestamp(text) : undefined;
  if (time !== undefined) return time;
  throw new InvalidArgumentError('Use a date such as 2027-01-31 or a time such as 2027-01-31T09:30:00Z.');
}
