import { expect, test } from 'vitest';
import { findMembersPath } from './members-path.ts';

test('is the first path for which an anonymous visitor has to log in', () => {
  expect(findMembersPath([], null, 0)).toBe('/');
  expect(findMembersPath([{ path: '/', access: 'public' }], null, 0)).toBeUndefined();
  const home = { path: '/', appliesTo: 'page', access: 'public' } as const;
  expect(findMembersPath([home], null, 0)).toBe('/gatehouse-check');
  const rules = [
    { path: '/', access: 'public' },
    {
      path: '/a',
      access: 'conditional',
      anyOf: [{ access: 'public', until: '2026-01-31T09:30:00.000Z' }],
    },
    { path: '/blog/été-*', access: 'paying_members' },
  ] as const;
  expect(findMembersPath(rules as never, null, 0)).toBe('/blog/été-gatehouse-check');
  const site = { path: '/', access: 'public' } as const;
  const docs = { path: '/docs', access: 'members' } as const;
  expect(findMembersPath([site, docs, { ...docs, appliesTo: 'page', access: 'public' }], null, 0)).toBe(
    '/docs/gatehouse-check',
  );
  expect(findMembersPath([site, { path: '/_gatehouse/login', access: 'members' }], null, 0)).toBeUndefined();
  const office = { path: '/', access: 'conditional' } as const;
  const anyOf = [{ access: 'public', networks: ['192.0.2.0/24'] }, { access: 'members' }] as const;
  expect(findMembersPath([{ ...office, anyOf }] as never, null, 0)).toBeUndefined();
  const forum = { path: '/', access: 'members', hosts: ['forum.example.org'] } as const;
  expect(findMembersPath([site, forum] as never, 'club.example.org', 0)).toBeUndefined();
  expect(findMembersPath([site, forum] as never, 'forum.example.org', 0)).toBe('/');
});
