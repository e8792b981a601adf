import { useSyncExternalStore } from 'react';
import { locale } from '../languages/language.ts';
import { Listeners } from '../session/listeners.ts';

type Format = 'relative' | 'date' | 'full' | 'clock';

interface TimeTextProps {
  /** RFC 3339. */
  at: string;
  /** `relative` ("3 hours ago", the default), `date`, `full`, or `clock`: "01:18", with the date if that is not today. */
  as?: Format;
}

/** A time in the viewer's time zone. The full time is shown on hover. */
export function TimeText({ at, as = 'relative' }: TimeTextProps) {
  useMinutes();
  return (
    <time dateTime={at} title={timeText(at, 'full')}>
      {timeText(at, as)}
    </time>
  );
}

/** A time as text, which does not change while it is shown. */
export function timeText(at: string, as: Format): string {
  return formats[as](new Date(at));
}

const listeners = new Listeners();
let ticks = 0;
setInterval(() => {
  ticks += 1;
  listeners.notify();
}, 30_000);

/** Renders again from time to time, because relative times change. */
export function useMinutes(): void {
  useSyncExternalStore(listeners.subscribe, () => ticks);
}

const formats: Readonly<Record<Format, (time: Date) => string>> = {
  relative: (time) => relative(time, new Date()),
  date: (time) => days.format(time),
  full: (time) => moments.format(time),
  clock: (time) => (days.format(time) === days.format(new Date()) ? clock : minutes).format(time),
};
const days = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
const moments = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'long' });
const clock = new Intl.DateTimeFormat(locale, { timeStyle: 'short' });
const minutes = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
const distances = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;
/** Beyond this many days, a date is clearer than a relative time. */
const relativeDays = 7;

/** Whether a time is so near that `relative` says how far away it is. */
export function isNear(at: string, now: Date): boolean {
  return Math.abs(secondsBetween(now, new Date(at))) <= relativeDays * 86_400;
}

function secondsBetween(from: Date, to: Date): number {
  return Math.round((to.getTime() - from.getTime()) / 1_000);
}

function relative(time: Date, now: Date): string {
  const seconds = secondsBetween(now, time);
  if (Math.abs(seconds) > relativeDays * 86_400) return days.format(time);
  const [unit, length] = units.find(([, length]) => Math.abs(seconds) >= length) ?? (['second', 1] as const);
  // Seconds would be out of date while they are read.
  return distances.format(unit === 'second' ? 0 : Math.trunc(seconds / length), unit);
}
