import { afterEach, describe, expect, test, vi } from 'vitest';
import { endOfDay, toDay } from './days.ts';

afterEach(() => vi.unstubAllEnvs());

const inZone = (zone: string) => vi.stubEnv('TZ', zone);
const end = (day: string, now: string) => endOfDay(day, new Date(now));

describe("a last day ends at midnight in the viewer's time zone", () => {
  test('behind UTC', () => {
    inZone('America/New_York');
    expect(end('2027-01-31', '2027-01-01T12:00:00Z')).toBe('2027-02-01T04:59:59.999Z');
    expect(toDay(new Date('2027-02-01T04:59:59.999Z'))).toBe('2027-01-31');
  });

  test('ahead of UTC', () => {
    inZone('Pacific/Auckland');
    expect(end('2027-01-31', '2027-01-01T12:00:00Z')).toBe('2027-01-31T10:59:59.999Z');
    expect(toDay(new Date('2027-01-31T10:59:59.999Z'))).toBe('2027-01-31');
  });

  test('on a day on which the clocks change', () => {
    inZone('Europe/Berlin');
    expect(end('2027-03-28', '2027-03-28T00:30:00Z')).toBe('2027-03-28T21:59:59.999Z');
    expect(end('2027-10-31', '2027-10-31T00:30:00Z')).toBe('2027-10-31T22:59:59.999Z');
  });
});

test('today can be the last day, but yesterday cannot', () => {
  inZone('America/New_York');
  expect(end('2027-01-31', '2027-02-01T04:59:59Z')).toBe('2027-02-01T04:59:59.999Z');
  expect(end('2027-01-31', '2027-02-01T05:00:00Z')).toBeUndefined();
});

test('an empty value means no end, and an invalid day is not treated as empty', () => {
  const now = '2027-01-01T12:00:00Z';
  expect(end('', now)).toBeNull();
  expect(end('20277-12-31', now)).toBeUndefined();
  expect(end('tomorrow', now)).toBeUndefined();
});
