import { millisecondsPerDay, type Timestamp } from '../../base/clock.ts';
import { type Html, html } from '../../base/text/html.ts';

const millisecondsPerHour = millisecondsPerDay / 24;

/** The units of elapsed time, with their lengths in milliseconds. */
const units = [
  ['year', 365 * millisecondsPerDay],
  ['month', 30 * millisecondsPerDay],
  ['day', millisecondsPerDay],
  ['hour', millisecondsPerHour],
  ['minute', 60_000],
] as const;

/** Whether it was within the last hour. The last use of a session is not recorded more precisely than that. */
export function isRecent(time: Timestamp, now: Timestamp): boolean {
  return Date.parse(now) - Date.parse(time) < millisecondsPerHour;
}

/** "3 days ago", in the language. */
export function timeAgo(language: string, time: Timestamp, now: Timestamp): Html {
  const passed = Math.max(0, Date.parse(now) - Date.parse(time));
  return html`<time datetime="${time}">${relative(language, passed, -1)}</time>`;
}

/** "in 3 days", in the language. */
export function timeUntil(language: string, time: Timestamp, now: Timestamp): string {
  return relative(language, Math.max(0, Date.parse(time) - Date.parse(now)), 1);
}

function relative(language: string, milliseconds: number, direction: 1 | -1): string {
  const [unit, length] = units.find(([, length]) => milliseconds >= length) ?? (['second', 1000] as const);
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  return format.format(direction * Math.floor(milliseconds / length), unit);
}
