import { expect, test } from 'vitest';
import { doublingPauses, pauseAfter } from './backoff.ts';

const failures = [1, 2, 3, 4, 5, 1_000_000];

test('pauses double up to the maximum, which is repeated', () => {
  const schedule = doublingPauses(1_000, 5_000);
  expect(schedule.pauses).toEqual([1_000, 2_000, 4_000, 5_000]);
  expect(failures.map((each) => pauseAfter(schedule, each, 0.5))).toEqual([
    1_000, 2_000, 4_000, 5_000, 5_000, 5_000,
  ]);
});

test('a pause is shorter or longer by a random part, in whole milliseconds', () => {
  const schedule = doublingPauses(1_001, 60_000);
  expect([0, 0.5, 1].map((random) => pauseAfter(schedule, 1, random))).toEqual([751, 1_001, 1_251]);
  const half = doublingPauses(500, 8_000, [0.5, 1]);
  expect([0, 0.5, 1].map((random) => pauseAfter(half, 2, random))).toEqual([500, 750, 1_000]);
  for (const each of failures) {
    expect(pauseAfter(half, each)).toBeGreaterThanOrEqual(250);
    expect(pauseAfter(half, each)).toBeLessThanOrEqual(8_000);
  }
});

test('a maximum that is not above the first pause is the only pause', () => {
  expect(doublingPauses(60_000, 1_000).pauses).toEqual([1_000]);
});
