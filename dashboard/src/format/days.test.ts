import { lastDayOf } from '@gatehouse/contract/time-zones';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { afterThisMonth, chosenEnd, lastDayBefore, startOfFurtherYear, today, yearAfter } from './days.ts';

// The zone of the browser, which decides about nothing here.
beforeEach(() => void vi.stubEnv('TZ', 'Asia/Tokyo'));
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

const end = (day: string, zone: string, now: string) => chosenEnd(day, zone, new Date(now));

describe('a last day ends with the first instant of the next day of the site', () => {
  test.each([
    ['America/New_York', '2027-01-31', '2027-02-01T05:00:00.000Z'],
    ['Pacific/Auckland', '2027-01-31', '2027-01-31T11:00:00.000Z'],
    // The clocks change on these days.
    ['Europe/Berlin', '2027-03-28', '2027-03-28T22:00:00.000Z'],
    ['Europe/Berlin', '2027-10-31', '2027-10-31T23:00:00.000Z'],
    ['America/New_York', '2027-03-14', '2027-03-15T04:00:00.000Z'],
    ['America/New_York', '2027-11-07', '2027-11-08T05:00:00.000Z'],
    ['Pacific/Auckland', '2027-04-04', '2027-04-04T12:00:00.000Z'],
    ['Pacific/Auckland', '2027-09-26', '2027-09-26T11:00:00.000Z'],
  ])('in %s', (zone, day, expected) => {
    expect(end(day, zone, '2027-01-01T12:00:00Z')).toBe(expected);
    expect(lastDayOf(expected, zone)).toBe(day);
  });
});

test('today can be the last day, but yesterday cannot', () => {
  const day = '2027-01-31';
  expect(end(day, 'America/New_York', '2027-02-01T04:59:59.999Z')).toBe('2027-02-01T05:00:00.000Z');
  expect(end(day, 'America/New_York', '2027-02-01T05:00:00Z')).toBeUndefined();
  vi.useFakeTimers({ now: Date.parse('2027-02-01T04:59:59.999Z') });
  expect(today('America/New_York')).toBe(day);
  expect(today('Pacific/Auckland')).toBe('2027-02-01');
});

test('an empty value means no end, and an invalid day is not treated as empty', () => {
  const now = '2027-01-01T12:00:00Z';
  expect(end('', 'UTC', now)).toBeNull();
  for (const day of ['20277-12-31', 'tomorrow', '2027-02-30']) expect(end(day, 'UTC', now)).toBeUndefined();
});

test('what ends with the last day of the month ends before the time after it, in the time zone of the site', () => {
  const after = (now: string, zone: string) => afterThisMonth(zone, new Date(now));
  expect(after('2027-02-14T12:00:00Z', 'UTC')).toBe('2027-03-01T00:00:00.001Z');
  expect(after('2027-12-31T23:30:00Z', 'Europe/Berlin')).toBe('2028-01-31T23:00:00.001Z');
  expect(after('2028-02-01T03:00:00Z', 'America/New_York')).toBe('2028-02-01T05:00:00.001Z');
});

test('a year after a day is the same day, or the last of February', () => {
  expect(yearAfter('2026-11-28')).toBe('2027-11-28');
  expect(yearAfter('2028-02-29')).toBe('2029-02-28');
});

test('a further year is counted from the last day, but from today if it would be over as well', () => {
  vi.useFakeTimers({ now: Date.parse('2027-02-10T12:00:00Z') });
  const from = (end: string | null) => startOfFurtherYear(end, 'Europe/Berlin');
  expect(from('2027-12-31T23:00:00.000Z')).toBe('2027-12-31');
  expect(from('2026-06-30T22:00:00.000Z')).toBe('2026-06-30');
  expect(from('2026-02-10T23:00:00.000Z')).toBe('2027-02-10');
  expect(from(null)).toBe('2027-02-10');
  expect(lastDayBefore('2027-06-30T12:00:00.000Z', 'Europe/Berlin')).toBe('2027-06-30');
});
