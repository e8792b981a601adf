import { expect, test, vi } from 'vitest';

vi.stubGlobal('localStorage', { getItem: () => null });
vi.stubEnv('TZ', 'Asia/Tokyo');
const { endDay, endText } = await import('./ends.ts');
vi.unstubAllGlobals();
vi.unstubAllEnvs();

test('an end is shown as its last day, and one within a day with its time', () => {
  const shown = (at: string) => endText(at, 'Europe/Berlin');
  expect(shown('2099-06-30T22:00:00.000Z')).toBe('Jun 30, 2099');
  // The form of before: the last millisecond of the day.
  expect(shown('2099-06-30T21:59:59.999Z')).toBe('Jun 30, 2099');
  expect(shown('2099-06-30T21:59:59.000Z')).toBe('Jun 30, 2099, 11:59 PM GMT+2');
  expect(shown('2099-06-30T11:59:59.999Z')).toBe('Jun 30, 2099, 1:59 PM GMT+2');
  expect(endText('2099-06-30T22:00:00.000Z', 'America/New_York')).toBe('Jun 30, 2099, 6:00 PM EDT');
});

test('the time of an end names its time zone unless it is the one of the browser', () => {
  const at = '2026-11-30T17:19:00.000Z';
  expect(endText(at, 'Europe/Berlin')).toBe('Nov 30, 2026, 6:19 PM GMT+1');
  expect(endText(at, 'UTC')).toBe('Nov 30, 2026, 5:19 PM UTC');
  expect(endText(at, 'Asia/Tokyo')).toBe('Dec 1, 2026, 2:19 AM');
});

test('in a narrow column an end is its day', () => {
  const shown = (at: string) => endDay(at, 'Europe/Berlin');
  expect(shown('2099-06-30T22:00:00.000Z')).toBe('Jun 30, 2099');
  expect(shown('2099-06-30T21:59:59.999Z')).toBe('Jun 30, 2099');
  expect(shown('2099-06-30T11:00:00.000Z')).toBe('Jun 30, 2099');
});
