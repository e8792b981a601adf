import { dayOf } from '@gatehouse/contract/time-zones';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { endProblem, parseEnd, parseRegistration, type TimeReading } from './times.ts';
import type { DateOrder } from './written-times.ts';

const now = new Date('2026-06-01T00:00:00Z');
const reading = (values: Partial<TimeReading> = {}): TimeReading => ({
  dateOrder: null,
  timeZone: 'Europe/Berlin',
  clockTimeZone: 'Europe/Berlin',
  ...values,
});
const zones = ['Europe/Berlin', 'America/Los_Angeles', 'Australia/Lord_Howe'];

describe('a registration', () => {
  test.each([
    ['2019-03-01', '2019-02-28T23:00:00.000Z'],
    ['1.3.2019', '2019-02-28T23:00:00.000Z'],
    ['1. März 2019', '2019-02-28T23:00:00.000Z'],
    ['2019-03-01 12:00:00', '2019-03-01T11:00:00.000Z'],
    ['2019-07-01T12:00', '2019-07-01T10:00:00.000Z'],
    ['2019-03-01 12:00:00 UTC', '2019-03-01T12:00:00.000Z'],
    ['2019-03-01 12:00:00.728731', '2019-03-01T11:00:00.728Z'],
    ['2019-03-01 12:00:00,5Z', '2019-03-01T12:00:00.500Z'],
    ['2019-03-01 12:00:00+02', '2019-03-01T10:00:00.000Z'],
    ['2019-03-01 12:00:00 +0200', '2019-03-01T10:00:00.000Z'],
    ['2019-03-01 12:00:00 -05:30', '2019-03-01T17:30:00.000Z'],
    ['2019-03-01 12:00:00 CET', '2019-03-01T11:00:00.000Z'],
    ['2026/05/28 7:01:33 PM GMT+2', '2026-05-28T17:01:33.000Z'],
    ['2026/05/28 12:01 AM UTC', '2026-05-28T00:01:00.000Z'],
    ['2026/05/28 12:01 PM UTC', '2026-05-28T12:01:00.000Z'],
    ['28/05/2026 7:01:33 p. m.', '2026-05-28T17:01:33.000Z'],
    ['2026年5月28日 午後7:01', '2026-05-28T17:01:00.000Z'],
    ['Thu, 28 May 2026 19:01:33 +0000', '2026-05-28T19:01:33.000Z'],
    ['1551441600', '2019-03-01T12:00:00.000Z'],
    ['1551441600.25', '2019-03-01T12:00:00.250Z'],
    ['1551441600123', '2019-03-01T12:00:00.123Z'],
    ['1.3.70', '1970-02-28T23:00:00.000Z'],
    ['1.3.26', '2026-02-28T23:00:00.000Z'],
    ['1970-01-02', '1970-01-01T23:00:00.000Z'],
    // Midnight in Berlin was an hour before 1970 began in UTC.
    ['1970-01-01', '1970-01-01T00:00:00.000Z'],
    ['1970-01-01 00:30', '1970-01-01T00:00:00.000Z'],
    ['-', undefined],
    ['N/A', undefined],
    ['0000-00-00 00:00:00', undefined],
    ['0001-01-01T00:00:00Z', undefined],
    ['0/0/00', undefined],
  ])('of %j is %j', (cell, time) => {
    expect(parseRegistration(cell, reading(), now)).toEqual(time === undefined ? {} : { time });
  });

  test.each([
    ['soon', 'invalid'],
    ['never', 'invalid'],
    ['2019-02-29', 'invalid'],
    ['03/04/2019', 'unclear'],
    ['03/04/2019 12:00 UTC', 'unclear'],
    ['1962-03-01', 'early'],
    ['1.3.62', 'early'],
    ['1969-12-31 23:59', 'early'],
    ['1899-12-30', 'early'],
    ['2026-06-02', 'future'],
    ['1.3.27', 'future'],
    ['9999-12-31', 'future'],
    ['4000000000', 'future'],
  ])('of %j is %s', (cell, problem) => {
    expect(parseRegistration(cell, reading(), now)).toEqual({ problem });
  });

  test('is read in the order of the list, and never against it', () => {
    const read = (cell: string, dateOrder: DateOrder) =>
      parseRegistration(cell, reading({ dateOrder, timeZone: 'UTC' }), now);
    expect(read('03/04/2019', 'dayFirst')).toEqual({ time: '2019-04-03T00:00:00.000Z' });
    expect(read('03/04/2019', 'monthFirst')).toEqual({ time: '2019-03-04T00:00:00.000Z' });
    expect(read('31/12/2019', 'monthFirst')).toEqual({ problem: 'invalid' });
    expect(read('31.12.2019', 'monthFirst')).toEqual({ time: '2019-12-31T00:00:00.000Z' });
  });
});

describe('an end', () => {
  test.each([
    ['2030-12-31', '2030-12-31T23:00:00.000Z'],
    ['31.12.30', '2030-12-31T23:00:00.000Z'],
    ['31/12/2030', '2030-12-31T23:00:00.000Z'],
    ['2030-12-31 12:00', '2030-12-31T11:00:00.000Z'],
    ['2030-12-31T12:00:00.000Z', '2030-12-31T12:00:00.000Z'],
    ['1924180000', '2030-12-22T14:26:40.000Z'],
    ['1962-12-31', '1970-01-01T00:00:00.000Z'],
    ['1962-12-31T00:00:00Z', '1970-01-01T00:00:00.000Z'],
    ['never', null],
    ['Nie', null],
    ['Lifetime', null],
    ['unbegrenzt', null],
    ['à vie', null],
    ['nunca', null],
    ['無期限', null],
    ['N/A', null],
    ['—', null],
    ['∞', null],
    ['0000-00-00', null],
    ['31.12.9999', null],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
    ['9999-12-31T23:59:59-05:00', null],
  ])('of %j is %j', (cell, end) => {
    expect(parseEnd(cell, reading())).toBe(end);
    expect(endProblem(cell, reading())).toBeUndefined();
  });

  test.each([
    ['soon', 'invalid'],
    ['unknown', 'invalid'],
    ['31.12.99', 'invalid'],
    ['03/04/2030', 'unclear'],
  ])('of %j is %s', (cell, problem) => {
    expect(parseEnd(cell, reading())).toBeUndefined();
    expect(endProblem(cell, reading())).toBe(problem);
  });
});

const pad = (number: number) => String(number).padStart(2, '0');

/** The forms of a time of day, from the one with the most digits. */
function clockForms(time: Date): string[] {
  const [hour, minute] = [time.getUTCHours(), pad(time.getUTCMinutes())];
  const seconds = `${pad(time.getUTCSeconds())}.${String(time.getUTCMilliseconds()).padStart(3, '0')}`;
  const half = `${hour % 12 || 12}:${minute}:${seconds}`;
  return [
    `${pad(hour)}:${minute}:${seconds}`,
    `${hour}:${minute}:${seconds}000`,
    `${half} ${hour < 12 ? 'AM' : 'PM'}`,
    `${half}\u202f${hour < 12 ? 'a. m.' : 'p. m.'}`,
    `${hour < 12 ? '午前' : '午後'}${half}`,
  ];
}

const formats = ['en', 'en-GB', 'de', 'fr', 'es', 'ja'].flatMap((language) => [
  new Intl.DateTimeFormat(language, { dateStyle: 'full', timeZone: 'UTC' }),
  ...(['long', 'short'] as const).map(
    (month) => new Intl.DateTimeFormat(language, { day: 'numeric', month, year: 'numeric', timeZone: 'UTC' }),
  ),
]);

/** The forms of a day, with the order that each needs. */
function dayForms(day: Date): [string, DateOrder | null][] {
  const [year, month, date] = [day.getUTCFullYear(), day.getUTCMonth() + 1, day.getUTCDate()];
  return [
    ...[
      `${year}-${pad(month)}-${pad(date)}`,
      `${year}/${month}/${date}`,
      `${year}.${pad(month)}.${pad(date)}`,
      `${year}${pad(month)}${pad(date)}`,
      `${pad(date)}.${pad(month)}.${year}`,
      `${date}. ${month}. ${year}`,
      ...formats.map((format) => format.format(day)),
    ].map((text): [string, null] => [text, null]),
    ...['/', '-'].flatMap((separator): [string, DateOrder][] => [
      [[pad(date), pad(month), year].join(separator), 'dayFirst'],
      [[month, date, year].join(separator), 'monthFirst'],
    ]),
  ];
}

const zonesOfInstants: [string, number][] = [
  ['Z', 0],
  [' UTC', 0],
  [' GMT+2', 120],
  ['+02', 120],
  [' +0200', 120],
  ['-03:30', -210],
  [' GMT-0330', -210],
];

test('every instant reads back from each form', () => {
  const instants = fc.integer({ min: Date.UTC(1970, 0, 2), max: now.getTime() - 1 });
  const someForm = (forms: readonly unknown[]) => fc.nat(forms.length - 1);
  const [dayForm, clockForm, zoneForm] = [dayForms(now), clockForms(now), zonesOfInstants].map(someForm);
  fc.assert(
    fc.property(instants, dayForm!, clockForm!, zoneForm!, (instant, dayForm, clockForm, zoneForm) => {
      const [zone, minutes] = zonesOfInstants[zoneForm]!;
      const local = new Date(instant + minutes * 60_000);
      const [day, dateOrder] = dayForms(local)[dayForm]!;
      fc.pre(!/^\d{8}$/.test(day));
      const cell = `${day} ${clockForms(local)[clockForm]}${zone}`;
      const time = new Date(instant).toISOString();
      expect([cell, parseRegistration(cell, reading({ dateOrder }), now)]).toEqual([cell, { time }]);
      expect(parseEnd(cell, reading({ dateOrder }))).toBe(time);
    }),
    { numRuns: 500 },
  );
});

test('instants read back as they are stored, and as epochs', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1e11, max: now.getTime() - 1 }), (instant) => {
      const time = new Date(instant).toISOString();
      const cells = [time, time.replace('T', ' '), (instant / 1000).toFixed(3)];
      if (instant >= 1e12) cells.push(String(instant));
      for (const cell of cells) {
        expect([cell, parseRegistration(cell, reading(), now)]).toEqual([cell, { time }]);
        expect(parseEnd(cell, reading())).toBe(time);
      }
    }),
    { numRuns: 500 },
  );
});

describe.each(zones)('in %s', (timeZone) => {
  // Both changes of clocks of the year, the days around them, and the ends of the year.
  const days = ['2025-03-09', '2025-03-30', '2025-04-06', '2025-10-05', '2025-10-26', '2025-11-02'].flatMap(
    (day) => [-1, 0, 1].map((offset) => new Date(Date.parse(day) + offset * 86_400_000)),
  );

  test('a day in each form is the first instant of the day, or of the next one', () => {
    for (const day of days) {
      const text = day.toISOString().slice(0, 10);
      for (const [cell, dateOrder] of dayForms(day)) {
        const { time } = parseRegistration(cell, reading({ dateOrder, timeZone }), now);
        const end = parseEnd(cell, reading({ dateOrder, timeZone }))!;
        const before = (instant: string) => new Date(Date.parse(instant) - 1).toISOString();
        expect([cell, dayOf(time!, timeZone), dayOf(before(end), timeZone)]).toEqual([cell, text, text]);
        expect(dayOf(before(time!), timeZone) < text && dayOf(end, timeZone) > text).toBe(true);
      }
    }
  });

  test('a time of day without a zone is what clocks there show', () => {
    for (const day of days) {
      const clock = new Date(day.getTime() + (12 * 60 + 34) * 60_000 + 56_789);
      for (const [text, dateOrder] of dayForms(day).filter(([text]) => !/^\d{8}$/.test(text))) {
        for (const form of clockForms(clock)) {
          const cell = `${text} ${form}`;
          const { time } = parseRegistration(cell, reading({ dateOrder, clockTimeZone: timeZone }), now);
          const shown = new Date(time!).toLocaleString('sv', { timeZone });
          expect([cell, shown]).toEqual([cell, clock.toISOString().slice(0, 19).replace('T', ' ')]);
        }
      }
    }
  });
});
