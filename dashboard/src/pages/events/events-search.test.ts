import { expect, test } from 'vitest';
import { readEventsSearch, toEventFilter } from './events-search.ts';

test('the address holds the filters, and nothing that cannot be read', () => {
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

test('the last day is asked for as a whole, in the zone of the viewer', () => {
  const { since, until, order } = toEventFilter({ since: '2026-03-01', until: '2026-03-31' });
  expect(since).toBe(new Date(2026, 2, 1).toISOString());
  expect(until).toBe(new Date(2026, 3, 1).toISOString());
  expect(order).toBe('desc');
});
