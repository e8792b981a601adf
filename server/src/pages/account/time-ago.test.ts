import { expect, test } from 'vitest';
import { isRecent, timeAgo } from './time-ago.ts';

const now = '2026-01-31T12:00:00.000Z';

test.each([
  ['2026-01-31T11:59:31.000Z', 'en', '29 seconds ago'],
  ['2026-01-31T11:20:00.000Z', 'en', '40 minutes ago'],
  ['2026-01-31T09:00:01.000Z', 'en', '2 hours ago'],
  ['2026-01-30T12:00:00.000Z', 'en', 'yesterday'],
  ['2026-01-21T12:00:00.000Z', 'de', 'vor 10 Tagen'],
  ['2025-11-21T12:00:00.000Z', 'fr', 'il y a 2 mois'],
  ['2024-01-21T12:00:00.000Z', 'ja', '2 年前'],
  ['2027-01-01T00:00:00.000Z', 'en', 'now'],
])('%s in %s: %s', (time, language, text) => {
  expect(String(timeAgo(language, time, now))).toBe(`<time datetime="${time}">${text}</time>`);
});

test('the last hour is recent', () => {
  expect(isRecent('2026-01-31T11:00:00.001Z', now)).toBe(true);
  expect(isRecent('2026-01-31T11:00:00.000Z', now)).toBe(false);
});
