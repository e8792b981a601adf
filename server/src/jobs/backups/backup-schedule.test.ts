import { expect, test } from 'vitest';
import { lastDueTime, nextDueTime, parseBackupRetention, parseBackupSchedule } from './backup-schedule.ts';

test.each([
  ['03:00', '2026-11-24T02:59:59.999Z', '2026-11-23T03:00:00.000Z', '2026-11-24T03:00:00.000Z'],
  ['03:00', '2026-11-24T03:00:00.000Z', '2026-11-24T03:00:00.000Z', '2026-11-25T03:00:00.000Z'],
  ['23:59', '2026-11-24T00:00:00.000Z', '2026-11-23T23:59:00.000Z', '2026-11-24T23:59:00.000Z'],
  ['00:00', '2026-11-24T12:00:00.000Z', '2026-11-24T00:00:00.000Z', '2026-11-25T00:00:00.000Z'],
  ['6h', '2026-11-24T17:59:59.999Z', '2026-11-24T12:00:00.000Z', '2026-11-24T18:00:00.000Z'],
  ['30m', '2026-11-24T17:59:59.999Z', '2026-11-24T17:30:00.000Z', '2026-11-24T18:00:00.000Z'],
  ['1d', '2026-11-24T17:59:59.999Z', '2026-11-24T00:00:00.000Z', '2026-11-25T00:00:00.000Z'],
])('with the schedule %s, at %s a backup has been due since %s, and the next is due at %s', (...row) => {
  const [text, now, last, next] = row;
  const schedule = parseBackupSchedule(text)!;
  expect([lastDueTime(schedule, now), nextDueTime(schedule, now)]).toEqual([last, next]);
});

test.each(['24:00', '3:00', '03:60', '4m', '0h', '32d', '6', 'h', '6h30m', '-6h', '', '03:00:00', 'daily'])(
  '"%s" is no schedule',
  (text) => expect(parseBackupSchedule(text)).toBeUndefined(),
);

test('a number of backups or of days says what is kept', () => {
  expect([parseBackupRetention('14'), parseBackupRetention('30d')]).toEqual([{ count: 14 }, { days: 30 }]);
  for (const text of ['0', '0d', '-1', '2w', 'all', '', '1.5'])
    expect(parseBackupRetention(text)).toBeUndefined();
});
