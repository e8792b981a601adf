import { endOfDay } from '../../parts/days.ts';

/** What can be chosen for how long a key works; the numbers are days. */
export const expiries = ['never', '30', '90', '365', 'day'] as const;
export type Expiry = (typeof expiries)[number];

const millisecondsPerDay = 86_400_000;

/** When a key stops working: null for never, undefined where the day that was chosen cannot be. */
export function expiryTime(expiry: Expiry, day: string, now: Date): string | null | undefined {
  if (expiry === 'never') return null;
  if (expiry === 'day') return endOfDay(day, now) ?? undefined;
  return new Date(now.getTime() + Number(expiry) * millisecondsPerDay).toISOString();
}
