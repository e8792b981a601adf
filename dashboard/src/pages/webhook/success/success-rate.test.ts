import { expect, test } from 'vitest';
import { successRate } from './success-rate.ts';

const of = (...days: [succeeded: number, failed: number][]) =>
  successRate(days.map(([succeeded, failed]) => ({ date: '2026-01-31', succeeded, failed })));

test('the deliveries of all days are counted', () => {
  expect(of([3, 1], [0, 0], [0, 4])).toEqual({ rate: 0.37, count: 8 });
  expect(of([5, 0])).toEqual({ rate: 1, count: 5 });
  expect(of([0, 0])).toEqual({ rate: 0, count: 0 });
});

test('a failure is never rounded away', () => {
  expect(of([9_999, 1])).toEqual({ rate: 0.99, count: 10_000 });
});
