import { expect, test } from 'vitest';
import { expiryTime } from './expiry.ts';

const now = new Date('2026-03-10T15:30:00.000Z');
const zone = 'Europe/Berlin';

test('a key works for the given number of days, or until it is revoked', () => {
  expect(expiryTime('30', '', zone, now)).toBe(new Date(now.getTime() + 30 * 86_400_000).toISOString());
  expect(expiryTime('never', '2026-03-11', zone, now)).toBeNull();
});

test('a key works until the end of its last day, in the time zone of the site', () => {
  expect(expiryTime('day', '2026-03-10', zone, now)).toBe('2026-03-10T23:00:00.000Z');
  expect(expiryTime('day', '2026-03-10', 'America/New_York', now)).toBe('2026-03-11T04:00:00.000Z');
});

test('a past day, or no day, cannot be the last one', () => {
  expect(expiryTime('day', '2026-03-09', zone, now)).toBeUndefined();
  expect(expiryTime('day', '', zone, now)).toBeUndefined();
});
