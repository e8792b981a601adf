import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dayEndingAt, dayOf, endOfDay, instantOf, isTimeZone, lastDayOf, startOfDay } from './time-zones.ts';

const zones = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/Sao_Paulo',
  'America/St_Johns',
  'Asia/Kolkata',
  'Asia/Beirut',
  'Pacific/Auckland',
  'Pacific/Apia',
  'Australia/Lord_Howe',
];

test.each([
  ['2026-01-31', 'UTC', '2026-01-31T00:00:00.000Z'],
  ['2026-03-29', 'Europe/Berlin', '2026-03-28T23:00:00.000Z'],
  ['2026-03-30', 'Europe/Berlin', '2026-03-29T22:00:00.000Z'],
  ['2026-10-25', 'Europe/Berlin', '2026-10-24T22:00:00.000Z'],
  ['2026-10-26', 'Europe/Berlin', '2026-10-25T23:00:00.000Z'],
  ['2026-11-01', 'America/New_York', '2026-11-01T04:00:00.000Z'],
  // Clocks skip midnight.
  ['2018-11-04', 'America/Sao_Paulo', '2018-11-04T03:00:00.000Z'],
  ['2026-03-29', 'Asia/Beirut', '2026-03-28T22:00:00.000Z'],
  // Midnight comes twice: one minute after the first, clocks go back.
  ['2010-11-07', 'America/St_Johns', '2010-11-07T02:30:00.000Z'],
  // The whole day was skipped.
  ['2011-12-30', 'Pacific/Apia', '2011-12-30T10:00:00.000Z'],
])('%s starts in %s at %s', (day, zone, start) => expect(startOfDay(day, zone)).toBe(start));

test.each(['2026-02-30', '2026-13-01', '26-01-01', '2026-1-1', '1969-12-31', ''])(
  'there is no start of the day %j',
  (day) => {
    for (const zone of zones) expect(startOfDay(day, zone)).toBeUndefined();
  },
);

test('the last supported day has no end', () => {
  expect(endOfDay('9999-12-31', 'UTC')).toBeUndefined();
  expect(endOfDay('9999-12-30', 'UTC')).toBe('9999-12-31T00:00:00.000Z');
});

test.each(['UTC', 'Pacific/Auckland', 'America/New_York'])(
  'the latest time is on the last day, in %s',
  (zone) => {
    const latest = '9999-12-31T23:59:59.999Z';
    expect(dayOf(latest, zone)).toBe('9999-12-31');
    expect(lastDayOf(latest, zone)).toBeUndefined();
  },
);

describe.each(zones)('in %s', (zone) => {
  const day = fc
    .integer({ min: Date.UTC(1990) / 86_400_000, max: Date.UTC(2090) / 86_400_000 })
    .map((days) => new Date(days * 86_400_000).toISOString().slice(0, 10))
    .filter((each) => !(zone === 'Pacific/Apia' && each === '2011-12-30'));

  test('every day begins when the one before ends, and is the day that ends there', () => {
    fc.assert(
      fc.property(day, (each) => {
        const [start, end] = [startOfDay(each, zone)!, endOfDay(each, zone)!];
        expect(dayOf(start, zone)).toBe(each);
        expect(start < end).toBe(true);
        expect(dayEndingAt(end, zone)).toBe(each);
        expect(dayEndingAt(new Date(Date.parse(end) - 1).toISOString(), zone)).toBeUndefined();
        expect(
          [0, 1, 2].map((earlier) => lastDayOf(new Date(Date.parse(end) - earlier).toISOString(), zone)),
        ).toEqual([each, each, undefined]);
        expect(dayOf(new Date(Date.parse(end) - 1).toISOString(), zone)).toBe(each);
      }),
    );
  });
});

test.each([
  ['2026-07-01T12:00:00Z', 'Europe/Berlin', '2026-07-01T10:00:00.000Z'],
  // Skipped: read with the offset before.
  ['2026-03-29T02:30:00Z', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
  // Twice: the first.
  ['2026-10-25T02:30:00Z', 'Europe/Berlin', '2026-10-25T00:30:00.000Z'],
  ['2026-10-25T02:30:00.728Z', 'UTC', '2026-10-25T02:30:00.728Z'],
])('clocks that show %s in %s mean %s', (clock, zone, instant) => {
  expect(new Date(instantOf(Date.parse(clock), zone)).toISOString()).toBe(instant);
});

test.each([
  ['Europe/Paris', true],
  ['UTC', true],
  ['America/Argentina/Buenos_Aires', true],
  ['Mars/Olympus', false],
  ['+02:00', false],
  ['', false],
  ['UTC;DROP', false],
  ['x'.repeat(70), false],
])('%s is a time zone: %s', (text, expected) => expect(isTimeZone(text)).toBe(expected));
