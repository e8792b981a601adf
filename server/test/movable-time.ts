import type { Timers } from '../src/base/timers.ts';

/** A clock that only tests set forward, and timers that follow it. */
export function movableTime() {
  let now = Date.now();
  const clock = () => new Date(now);
  const waiting = new Set<{ readonly at: number; readonly work: () => void }>();
  const timers: Timers = {
    after(milliseconds, work) {
      const timer = { at: now + milliseconds, work };
      waiting.add(timer);
      return () => waiting.delete(timer);
    },
  };
  /** Sets the clock forward, and runs the timers that are due. */
  const advance = (milliseconds: number) => {
    now += milliseconds;
    for (const timer of [...waiting].sort((one, other) => one.at - other.at)) {
      if (timer.at <= now && waiting.delete(timer)) timer.work();
    }
  };
  return { clock, timers, advance, countTimers: () => waiting.size };
}

/**
 * A time whose hour does not end while the tests of a file run, because emails are counted by the hour. It is at most a
 * few minutes ahead, because on SQLite links use the real time.
 */
export function timeWithinTheHour() {
  const time = movableTime();
  const left = hour - (time.clock().getTime() % hour);
  if (left < 5 * 60_000) time.advance(left);
  return time;
}

/** Timers that do not wait. */
export const immediateTimers: Timers = {
  after(_, work) {
    const immediate = setImmediate(work);
    return () => clearImmediate(immediate);
  },
};

export const hour = 3_600_000;
export const day = 24 * hour;
