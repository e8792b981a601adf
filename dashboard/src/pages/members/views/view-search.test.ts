import { expect, test } from 'vitest';
import { readViewSearch, toViewSearch } from './view-search.ts';

const group = '0199f3a0-5c1e-7d2b-9c58-3f1c2a7e4b10';

test('a view has the query of the URL, in whatever order the filters were chosen', () => {
  const search = `q=ada&paid=false&group=${group}&ends=30&sort=displayName&order=asc`;
  expect(
    toViewSearch({
      order: 'asc',
      sort: 'displayName',
      ends: 30,
      group,
      paid: false,
      q: 'ada',
      status: undefined,
    }),
  ).toBe(search);
  expect(toViewSearch(readViewSearch(search))).toBe(search);
  expect(toViewSearch({})).toBe('');
});

test('a text that looks like a number stays a text, and unknown filters are left out', () => {
  expect(readViewSearch(toViewSearch({ q: '2026' }))).toEqual({ q: '2026' });
  expect(readViewSearch('ends=month&status=active')).toEqual({ ends: 'month', status: 'active' });
  expect(readViewSearch('ends=31&plan=gold&group=none&status=blocked')).toEqual({ status: 'blocked' });
});
