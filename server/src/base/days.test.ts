import { describe, expect, test } from 'vitest';
import { lastDays } from './days.ts';

const hours = ({ start, end }: { start: string; end: string }) =>
  (Date.parse(end) - Date.parse(start)) / 3_600_000;

describe('the last days', () => {
  test('end with today, are consecutive, and have the requested number', () => {
    const days = lastDays(30, 'UTC', '2026-03-05T12:00:00.000Z');
    expect(days).toHaveLength(30);
    expect(days[0]).toEqual({
      date: '2026-02-04',
      start: '2026-02-04T00:00:00.000Z',
      end: '2026-02-05T00:00:00.000Z',
    });
    expect(days.at(-1)!.date).toBe('2026-03-05');
    for (const [index, { start }] of days.slice(1).entries()) expect(start).toBe(days[index]!.end);
  });

  test.each([
    ['Pacific/Kiritimati', '2026-01-02', '2026-01-01T10:00:00.000Z'],
    ['Pacific/Pago_Pago', '2026-01-01', '2026-01-01T11:00:00.000Z'],
    ['Asia/Kathmandu', '2026-01-01', '2025-12-31T18:15:00.000Z'],
    ['America/St_Johns', '2026-01-01', '2026-01-01T03:30:00.000Z'],
  ])('begin at midnight in %s', (timeZone, date, start) => {
    expect(lastDays(1, timeZone, '2026-01-01T12:00:00.000Z')).toMatchObject([{ date, start }]);
  });

  test('have the hours of their time zone', () => {
    const [, spring] = lastDays(3, 'Europe/Paris', '2026-03-30T12:00:00.000Z');
    expect([spring!.date, hours(spring!)]).toEqual(['2026-03-29', 23]);
    const [, autumn] = lastDays(3, 'Europe/Paris', '2026-10-26T12:00:00.000Z');
    expect([autumn!.date, hours(autumn!)]).toEqual(['2026-10-25', 25]);
  });

  test('begin later when clocks are set forward at midnight', () => {
    const [day] = lastDays(1, 'America/Santiago', '2026-09-06T12:00:00.000Z');
    expect(day).toMatchObject({ date: '2026-09-06', start: '2026-09-06T04:00:00.000Z' });
    expect(hours(day!)).toBe(23);
  });

  test('reject an unknown time zone', () => {
    expect(() => lastDays(1, 'Mars/Olympus', '2026-01-01T12:00:00.000Z')).toThrow('IANA');
  });
});
