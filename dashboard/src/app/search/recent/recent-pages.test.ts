import { expect, test } from 'vitest';
import { readPages } from './recent-pages.ts';

test('saved pages are read, and everything else is left out', () => {
  const member = { type: 'member', id: '1' };
  expect(
    readPages(JSON.stringify([member, { type: 'site', id: '2' }, null, 'x', { type: 'group' }])),
  ).toEqual([member]);
  for (const broken of [null, '', '{', '{}', 'null', '3']) expect(readPages(broken)).toEqual([]);
});
