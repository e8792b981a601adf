/** The limits of a field for a time. Without the maximum, Chromium accepts years with six digits. */
export const localTimeLimits = { min: '1970-01-01T00:00', max: '9999-12-31T23:59' };

/** A time in the viewer's time zone, in the format of a field for a date and a time. */
export function toLocalTime(at: string): string {
  const time = new Date(at);
  const part = (number: number, digits = 2) => String(number).padStart(digits, '0');
  const [seconds, milliseconds] = [time.getSeconds(), time.getMilliseconds()];
  const fraction = milliseconds > 0 ? `.${part(milliseconds, 3)}` : '';
  // A time that a program has set may be more exact than a minute.
  const rest = seconds + milliseconds > 0 ? `:${part(seconds)}${fraction}` : '';
  const day = `${part(time.getFullYear(), 4)}-${part(time.getMonth() + 1)}-${part(time.getDate())}`;
  return `${day}T${part(time.getHours())}:${part(time.getMinutes())}${rest}`;
}

/** The time that was chosen in such a field; undefined if the service does not support it: before 1970, after 9999. */
export function fromLocalTime(local: string): string | undefined {
  const time = new Date(local);
  return time.getTime() >= 0 && time.getUTCFullYear() <= 9999 ? time.toISOString() : undefined;
}
