import { expect, test } from 'vitest';
import { fromLocalTime, toLocalTime } from './local-time.ts';

test.each([
  ['2026-03-01T10:05', new Date(2026, 2, 1, 10, 5)],
  ['2026-12-31T23:59:07', new Date(2026, 11, 31, 23, 59, 7)],
  ['2026-12-31T23:59:59.999', new Date(2026, 11, 31, 23, 59, 59, 999)],
])('%s is the field of a local time, and is read as the same time', (local, time) => {
  expect(toLocalTime(time.toISOString())).toBe(local);
  expect(fromLocalTime(local)).toBe(time.toISOString());
});

test('a time that the service does not support is rejected', () => {
  expect(fromLocalTime('1969-01-01T00:00')).toBeUndefined();
  expect(fromLocalTime('10000-01-02T00:00')).toBeUndefined();
});
