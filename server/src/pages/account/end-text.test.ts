import { expect, test } from 'vitest';
import { endText } from './end-text.ts';

test.each([
  ['2027-01-31T23:00:00.000Z', 'Europe/Berlin', 'en', 'January 31, 2027'],
  ['2027-03-28T22:00:00.000Z', 'Europe/Berlin', 'de', '28. März 2027'],
  ['2027-01-31T11:00:00.000Z', 'Pacific/Auckland', 'fr', '31 janvier 2027'],
  ['2027-01-31T22:59:59.999Z', 'Europe/Berlin', 'es', '31 de enero de 2027'],
  ['2027-02-01T00:00:00.000Z', 'UTC', 'ja', '2027年1月31日'],
  ['2027-01-31T23:00:00.000Z', 'America/Sao_Paulo', 'de', '31. Januar 2027 um 20:00 GMT-3'],
  // A time zone that is newer than Node.
  ['2027-02-01T00:00:00.000Z', 'Antarctica/Newest', 'en', 'February 1, 2027 at 12:00 AM UTC'],
  ['2027-01-31T12:30:00.000Z', 'Europe/Berlin', 'de', '31. Januar 2027 um 13:30 MEZ'],
])('%s in %s, in %s: %s', (at, timeZone, language, text) => {
  expect(String(endText(language, at, timeZone))).toBe(`<time datetime="${at}">${text}</time>`);
});
