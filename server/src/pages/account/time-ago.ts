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
  const [unit, length] = units.find(([, length]) => passed >= length) ?? (['second', 1000] as const);
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  return html`<time datetime="${time}">${format.format(-Math.floor(passed / length), unit)}</time>`;
}
