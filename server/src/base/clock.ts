/** Gives the present time. Passed in wherever time matters, so that tests can move it. */
export type Clock = () => Date;

export const systemClock: Clock = () => new Date();

/** RFC 3339, UTC, milliseconds: `2026-01-31T09:30:00.000Z`. The only form of a time in the program, the API and the stores. */
export type Timestamp = string;

export const millisecondsPerDay = 24 * 60 * 60 * 1000;

export function timestampBefore(time: Timestamp, milliseconds: number): Timestamp {
  return new Date(Date.parse(time) - milliseconds).toISOString();
}

const earliest = Date.UTC(1970);

/**
 * The one form of a time that a caller wrote in another way of RFC 3339. Undefined for what only looks like a time
 * (a leap second, the 30th of February) and for times before 1970.
 */
export function toTimestamp(text: string): Timestamp | undefined {
  const time = new Date(text);
  return time.getTime() >= earliest ? time.toISOString() : undefined;
}
