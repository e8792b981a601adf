/** The end of a day that was chosen in a date field, where the viewer is; undefined for none, and for one that is past. */
export function endOfDay(day: string, now: Date): string | undefined {
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
