import { chosenEnd } from '../../format/days.ts';

/** The choices for the lifetime of a key. Numbers are days. */
export const expiries = ['never', '30', '90', '365', 'day'] as const;
export type Expiry = (typeof expiries)[number];

const millisecondsPerDay = 86_400_000;

/** When a key expires: null for never, undefined if the chosen day is not possible. Days are in the time zone of the site. */
export function expiryTime(
  expiry: Expiry,
  day: string,
  timeZone: string,
  now: Date,
): string | null | undefined {
  if (expiry === 'never') return null;
  if (expiry === 'day') return chosenEnd(day, timeZone, now) ?? undefined;
  return new Date(now.getTime() + Number(expiry) * millisecondsPerDay).toISOString();
}
