/** The last day that a date field is to take; without one, Chromium takes years of six digits. */
export const lastDayThereIs = '9999-12-31';

/**
 * The end of a day that was chosen in a date field, where the viewer is. Null for none; undefined for one that cannot be
 * the last day, as it is over or no day at all.
 */
export function endOfDay(day: string, now: Date): string | null | undefined {
  if (day === '') return null;
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) return undefined;
  const [year, month, date] = day.split('-').map(Number);
  // Its last moment, as the next midnight would be shown as the next day.
  const end = new Date(year!, month! - 1, date!, 23, 59, 59, 999);
  return end > now ? end.toISOString() : undefined;
}

/** The day of the viewer as a date field has it. */
export function toDay(time: Date): string {
  const part = (number: number) => String(number).padStart(2, '0');
  return `${time.getFullYear()}-${part(time.getMonth() + 1)}-${part(time.getDate())}`;
}
