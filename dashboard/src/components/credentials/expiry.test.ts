import { expect, test } from 'vitest';
import { expiryTime } from './expiry.ts';

const now = new Date(2026, 2, 10, 15, 30);

test('a key works for the given number of days, or until it is revoked', () => {
  expect(expiryTime('30', '', now)).toBe(new Date(now.getTime() + 30 * 86_400_000).toISOString());
  expect(expiryTime('never', '2026-03-11', now)).toBeNull();
});

test('a key works until the end of its last day, in the time zone of the viewer', () => {
  expect(expiryTime('day', '2026-03-10', now)).toBe(new Date(2026, 2, 10, 23, 59, 59, 999).toISOString());
});

test('a past day, or no day, cannot be the last one', () => {
  expect(expiryTime('day', '2026-03-09', now)).toBeUndefined();
  expect(expiryTime('day', '', now)).toBeUndefined();
});
