import { expect, test } from 'vitest';
import { countTicks, dayTicks, rangeTicks } from './ticks.ts';

test('the labeled days are evenly spaced, with the same distance to both ends', () => {
  const days = Array.from({ length: 90 }, (_, index) => index + 1);
  expect(dayTicks(days.slice(0, 7))).toEqual([2, 4, 6]);
  expect(dayTicks(days.slice(0, 30))).toEqual([5, 12, 19, 26]);
  expect(dayTicks(days)).toEqual([14, 35, 56, 77]);
  expect(dayTicks([1])).toEqual([1]);
  expect(dayTicks([])).toEqual([]);
});

test('numbers are whole, evenly spaced, and include the maximum', () => {
  expect(countTicks(0)).toEqual([0, 1]);
  expect(countTicks(1)).toEqual([0, 1]);
  expect(countTicks(4)).toEqual([0, 1, 2, 3, 4]);
  expect(countTicks(5)).toEqual([0, 2, 4, 6]);
  expect(countTicks(123)).toEqual([0, 50, 100, 150]);
  expect(countTicks(1_975)).toEqual([0, 500, 1_000, 1_500, 2_000]);
});

test('an axis fits the growth: it begins at 0 only if the numbers do', () => {
  expect(rangeTicks([1_250, 1_255, 1_268])).toEqual([1_250, 1_255, 1_260, 1_265, 1_270]);
  expect(rangeTicks([1_250, 1_000])).toEqual([1_000, 1_100, 1_200, 1_300]);
  expect(rangeTicks([9_990, 10_020])).toEqual([9_990, 10_000, 10_010, 10_020]);
  expect(rangeTicks([0, 3])).toEqual([0, 1, 2, 3]);
  expect(rangeTicks([3, 170])).toEqual([0, 50, 100, 150, 200]);
});

test('a number that has not changed is in the middle of its axis, which never goes below 0', () => {
  expect(rangeTicks([100, 100])).toEqual([99, 100, 101]);
  expect(rangeTicks([1])).toEqual([0, 1, 2]);
  expect(rangeTicks([0, 0])).toEqual([0, 1]);
});
