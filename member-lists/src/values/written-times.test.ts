import { expect, test } from 'vitest';
import { dayIn, parseWrittenTime, timeForm } from './written-times.ts';

test.each([
  ['2026-12-31', 'day', null],
  ['2026/12/31', 'day', null],
  ['2026.12.31', 'day', null],
  ['2026. 12. 31.', 'day', null],
  ['2026年12月31日', 'day', null],
  ['２０２６年１２月３１日（木）', 'day', null],
  ['20261231', 'day', null],
  ['31.12.2026', 'day', null],
  ['31. 12. 2026', 'day', null],
  ['31.12.26', 'day', null],
  ['3.4.2026', 'day', null],
  ['31/12/2026', 'day', 'dayFirst'],
  ['31-12-2026', 'day', 'dayFirst'],
  ['12/31/2026', 'day', 'monthFirst'],
  ['12/31/26', 'day', 'monthFirst'],
  ['03/04/2026', 'day', 'either'],
  ['3-4-2026', 'day', 'either'],
  ['04/04/2026', 'day', null],
  ['31. Dezember 2026', 'day', null],
  ['1. März 2026', 'day', null],
  ['Donnerstag, 31. Dez. 2026', 'day', null],
  ['31 décembre 2026', 'day', null],
  ['1er aout 2026', 'day', null],
  ['31 de diciembre de 2026', 'day', null],
  ['1.º de enero del 2026', 'day', null],
  ['December 31, 2026', 'day', null],
  ['Thursday, December 31st, 2026', 'day', null],
  ['31 Dec 2026', 'day', null],
  ['31st of December, 2026', 'day', null],
  ['31-Dec-26', 'day', null],
  ['\u200e31\u200e/\u200e12\u200e/\u200e2026', 'day', 'dayFirst'],
  ['2026-12-31 12:00', 'clock', null],
  ['2026-12-31T12:00:00', 'clock', null],
  ['12/31/2026 9:05:01 PM', 'clock', 'monthFirst'],
  ['31/12/2026 9:05:01\u00a0p.\u00a0m.', 'clock', 'dayFirst'],
  ['3/4/2026, 09:05', 'clock', 'either'],
  ['31.12.2026 um 12:00 Uhr', 'clock', null],
  ['2026/12/31 午後9:05', 'clock', null],
  ['3/4/2026 09:05 UTC', 'instant', 'either'],
  ['2026-12-31 12:00:00.728731 UTC', 'instant', null],
  ['Thu, 31 Dec 2026 12:00:00 GMT', 'instant', null],
  ['Thu Dec 31 2026 12:00:00 GMT+0100 (Central European Standard Time)', 'instant', null],
  ['1767225600', 'instant', null],
  ['1767225600000', 'instant', null],
])('%j is written as %s with the order %j', (cell, form, order) => {
  expect(timeForm(cell)).toEqual({ form, order });
});

test.each([
  '',
  'soon',
  '2026',
  '12/2026',
  '31.12.',
  '2026-13-01',
  '2026-02-30',
  '30/02/2026',
  '13/13/2026',
  // Which of the three numbers is the year?
  '26-12-31',
  '31-12/2026',
  '31 Foo 2026',
  'Smarch 31, 2026',
  '2026-12-31 24:00',
  '2026-12-31 12:60',
  '2026-12-31 12:00:60',
  '2026-12-31 13:00 PM',
  '2026-12-31 0:00 AM',
  '2026-12-31 12:00 EST',
  '2026-12-31 12:00+24',
  '2026-12-31 12:00 and later',
  '2026-12-31 or later',
  '12345678',
  '17672256000',
  '45000',
  `2026-12-31${' '.repeat(200)}12:00`,
])('%j is not a time', (cell) => {
  expect(timeForm(cell)).toBeUndefined();
});

test('a day is unclear only without an order, and never read against the order', () => {
  const day = (cell: string) => parseWrittenTime(cell)!.day;
  expect(dayIn(day('03/04/2026'), null)).toBe('unclear');
  expect(dayIn(day('03/04/2026'), 'dayFirst')).toBe(Date.UTC(2026, 3, 3));
  expect(dayIn(day('03/04/2026'), 'monthFirst')).toBe(Date.UTC(2026, 2, 4));
  expect(dayIn(day('31/12/2026'), null)).toBe(Date.UTC(2026, 11, 31));
  expect(dayIn(day('31/12/2026'), 'monthFirst')).toBeUndefined();
  expect(dayIn(day('31.12.2026'), 'monthFirst')).toBe(Date.UTC(2026, 11, 31));
});
