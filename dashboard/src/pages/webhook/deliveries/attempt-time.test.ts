import { expect, test } from 'vitest';
import { attemptTime, comingTime } from './attempt-time.ts';

test('an attempt that was due waits for the next attempt of a failing webhook, and is never said to be in the past', () => {
  const now = Date.parse('2026-01-31T09:30:00.000Z');
  const [before, soon, later] = [-12, 0.5, 12].map((minutes) =>
    new Date(now + minutes * 60_000).toISOString(),
  );
  const timeOf = (dueAt: string | null, nextAttemptAt: string | null) =>
    attemptTime({ dueAt }, { nextAttemptAt }, now);
  expect(timeOf(before!, later!)).toBe(later);
  expect(timeOf(later!, null)).toBe(later);
  expect([timeOf(before!, null), timeOf(soon!, before!), timeOf(null, null)]).toEqual([null, null, null]);
});

test('an old attempt says nothing of a next one that has been made since', () => {
  const at = '2026-01-31T09:30:00.000Z';
  expect(comingTime(at, Date.parse(at) - 1)).toBe(at);
  expect([comingTime(at, Date.parse(at)), comingTime(null, Date.parse(at))]).toEqual([null, null]);
});
