import { expect, test } from 'vitest';
import { findMembersPath } from './members-path.ts';

test('is the first path for which an anonymous visitor has to log in', () => {
  expect(findMembersPath([], 0)).toBe('/');
  expect(findMembersPath([{ path: '/', access: 'public' }], 0)).toBeUndefined();
  const home = { path: '/', appliesTo: 'page', access: 'public' } as const;
  expect(findMembersPath([home], 0)).toBe('/gatehouse-check');
  const rules = [
    { path: '/', access: 'public' },
    {
      ...{ path: '/a', access: 'conditional' },
      anyOf: [{ access: 'public', until: '2026-01-31T09:30:00.000Z' }],
    },
    { path: '/blog/été-*', access: 'paying_members' },
  ] as const;
  expect(findMembersPath(rules as never, 0)).toBe('/blog/été-');
});
