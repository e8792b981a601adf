import { afterEach, expect, test, vi } from 'vitest';
import { readEventsSearch, toEventFilter } from './events-search.ts';

afterEach(() => vi.unstubAllEnvs());

test('the URL contains the filters, and invalid parameters are ignored', () => {
  expect(
    readEventsSearch({
      type: 'member.login',
      memberId: '',
      since: '2026-02-31x',
      until: '2026-02-01',
      page: 3,
    }),
  ).toEqual({ type: 'member.login', until: '2026-02-01' });
  expect(readEventsSearch({ since: '2026-13-01', actorType: 7 })).toEqual({});
});

test('the last day is included completely, in the time zone of the viewer', () => {
  vi.stubEnv('TZ', 'Europe/Berlin');
  const { since, until, order } = toEventFilter({ since: '2026-03-01', until: '2026-03-31' });
  // The clocks change between these days.
  expect(since).toBe('2026-02-28T23:00:00.000Z');
  expect(until).toBe('2026-03-31T22:00:00.000Z');
  expect(order).toBe('desc');
});
