import { latestTime } from '@gatehouse/contract/times';

export { toTimestamp } from '@gatehouse/contract/times';

/** Returns the current time. It is passed in wherever time matters, so that tests can control it. */
export type Clock = () => Date;

export const systemClock: Clock = () => new Date();

/**
 * RFC 3339, UTC, with milliseconds: `2026-01-31T09:30:00.000Z`. The only time format in the program, the API and the
 * stores.
 */
export type Timestamp = string;

export const millisecondsPerDay = 24 * 60 * 60 * 1000;

/** Negative if `start` is later than `end`. */
export function millisecondsBetween(start: Timestamp, end: Timestamp): number {
  return Date.parse(end) - Date.parse(start);
}

export function timestampBefore(time: Timestamp, milliseconds: number): Timestamp {
  return new Date(Date.parse(time) - milliseconds).toISOString();
}

/** The earlier of two times; the first one if the second is null. */
export function earlier(time: Timestamp, other: Timestamp | null): Timestamp {
  return other !== null && other < time ? other : time;
}

/** At most the last millisecond of the year 9999. */
export function timestampAfter(time: Timestamp, milliseconds: number): Timestamp {
  return new Date(Math.min(Date.parse(time) + milliseconds, latestTime)).toISOString();
}
