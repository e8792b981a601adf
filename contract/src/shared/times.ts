// Between these limits a time has exactly one form, and sorting the texts sorts the times.
const earliest = Date.UTC(1970);
/** The latest time that the service supports, in milliseconds since 1970. */
export const latestTime = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

const dateTimeForm = /^(\d{4}-\d\d-\d\d)[Tt ](?:[01]\d|2[0-3]):\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/;

/**
 * The normalized form of a time in RFC 3339. Undefined for texts that only look like a time (a leap second), for times
 * before 1970 and for times whose year has five digits in UTC.
 */
export function toTimestamp(text: string): string | undefined {
  const time = new Date(text);
  return time.getTime() >= earliest && time.getTime() <= latestTime ? time.toISOString() : undefined;
}

/** Like `toTimestamp`, for any text: also undefined if the text is not a `date-time` of RFC 3339, section 5.6. */
export function parseDateTime(text: string): string | undefined {
  const [, day] = dateTimeForm.exec(text) ?? [];
  return day !== undefined && isDay(day) ? toTimestamp(text) : undefined;
}

/** Whether the day exists: JavaScript reads February 30 as March 1 or 2. */
function isDay(day: string): boolean {
  const time = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(day);
}
