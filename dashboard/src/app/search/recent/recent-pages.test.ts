import { expect, test } from 'vitest';
import { readPages } from './recent-pages.ts';

test('saved pages are read, and everything else is left out', () => {
  const id = '0199f3a0-5c1e-7d2b-9c58-3f1c2a7e4b10';
  const member = { type: 'member', id };
  const others = [
    { type: 'site', id },
    null,
    'x',
    { type: 'group' },
    { type: 'member', id: 'ada@example.com' },
  ];
  expect(readPages(JSON.stringify([member, ...others]))).toEqual([member]);
  for (const broken of [null, '', '{', '{}', 'null', '3']) expect(readPages(broken)).toEqual([]);
});
