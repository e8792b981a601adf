/** The maximum of a date field. Without it, Chromium accepts years with six digits. */
export const maxDay = '9999-12-31';

/**
 * The end of a day that was chosen in a date field, in the viewer's time zone. Null for no day; undefined for a day
 * that is past or invalid.
 */
export function endOfDay(day: string, now: Date): string | null | undefined {
  if (day === '') return null;
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) return undefined;
  const [year, month, date] = day.split('-').map(Number);
  // The last moment of the day, because midnight would be shown as the next day.
  const end = new Date(year!, month! - 1, date!, 23, 59, 59, 999);
  return end > now ? end.toISOString() : undefined;
}

/** The viewer's day in the format of a date field. */
export function toDay(time: Date): string {
  const part = (number: number) => String(number).padStart(2, '0');
  return `${time.getFullYear()}-${part(time.getMonth() + 1)}-${part(time.getDate())}`;
}
