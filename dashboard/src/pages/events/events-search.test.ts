import { expect, test } from 'vitest';
import { readEventsSearch, toEventFilter } from './events-search.ts';

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

test('the last day is included completely, in the time zone of the site', () => {
  const days = { since: '2026-03-01', until: '2026-03-31' };
  const { since, until, order } = toEventFilter(days, 'Europe/Berlin');
  // The clocks change between these days.
  expect(since).toBe('2026-02-28T23:00:00.000Z');
  expect(until).toBe('2026-03-31T22:00:00.000Z');
  expect(order).toBe('desc');
});

test('while a year is being typed, the list has the events up to that year: none, or all since', () => {
  expect(toEventFilter({ since: '0202-03-01' }, 'Europe/Berlin').since).toBeUndefined();
  expect(toEventFilter({ until: '0202-03-01' }, 'Europe/Berlin').until).toBe('1970-01-01T00:00:00.000Z');
  expect(toEventFilter({ until: '9999-12-31' }, 'Europe/Berlin').until).toBeUndefined();
});
