import { expect, test } from 'vitest';
import { countTicks, weekTicks } from './ticks.ts';

test('the labeled days are a week apart, with the same distance to both ends', () => {
  const days = Array.from({ length: 30 }, (_, index) => index + 1);
  expect(weekTicks(days)).toEqual([5, 12, 19, 26]);
  expect(weekTicks(days.slice(0, 8))).toEqual([4]);
  expect(weekTicks([1])).toEqual([1]);
  expect(weekTicks([])).toEqual([]);
});

test('numbers are whole, evenly spaced, and include the maximum', () => {
  expect(countTicks(0)).toEqual([0, 1]);
  expect(countTicks(1)).toEqual([0, 1]);
  expect(countTicks(4)).toEqual([0, 1, 2, 3, 4]);
  expect(countTicks(5)).toEqual([0, 2, 4, 6]);
  expect(countTicks(123)).toEqual([0, 50, 100, 150]);
  expect(countTicks(1_975)).toEqual([0, 500, 1_000, 1_500, 2_000]);
});
