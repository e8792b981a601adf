/** Gives the present time. Passed in wherever time matters, so that tests can move it. */
export type Clock = () => Date;

export const systemClock: Clock = () => new Date();

/** RFC 3339, UTC, milliseconds: `2026-01-31T09:30:00.000Z`. The only form of a time in the program, the API and the stores. */
export type Timestamp = string;

export const millisecondsPerDay = 24 * 60 * 60 * 1000;

// Within these a time has one form, and the order of the texts is the order of the times.
const earliest = Date.UTC(1970);
const latest = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

export function timestampBefore(time: Timestamp, milliseconds: number): Timestamp {
  return new Date(Math.min(Date.parse(time) - milliseconds, latest)).toISOString();
}

/**
 * The one form of a time that a caller wrote in another way of RFC 3339. Undefined for what only looks like a time
 * (a leap second, the 30th of February), for times before 1970 and for those whose year has five digits in UTC.
 */
export function toTimestamp(text: string): Timestamp | undefined {
  const time = new Date(text);
  return time.getTime() >= earliest && time.getTime() <= latest ? time.toISOString() : undefined;
}
