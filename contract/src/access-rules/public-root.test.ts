import { expect, test } from 'vitest';
import type { AccessRule } from './access-rules.ts';
import { protectedBelowPublicRoot } from './public-root.ts';

const root: AccessRule = { path: '/', access: 'public' };
const members: AccessRule = { path: '/members', access: 'members' };
const office: AccessRule = {
  path: '/',
  access: 'conditional',
  anyOf: [{ access: 'members' }, { access: 'public', networks: ['192.0.2.0/24'] }],
};

test.each<[string, AccessRule[], string[]]>([
  ['pages for members below a public root', [root, members], ['/members']],
  [
    'a page only, and names with *',
    [root, { ...members, appliesTo: 'page' }, { path: '/x-*', access: 'paying_members' }],
    ['/members', '/x-*'],
  ],
  ['each path once', [root, members, { ...members, appliesTo: 'page' }], ['/members']],
  ['a root that a network may see', [office, members], ['/members']],
  [
    'a page that opens later',
    [
      root,
      {
        path: '/next',
        access: 'conditional',
        anyOf: [{ access: 'public', from: '2030-01-01T00:00:00.000Z' }],
      },
    ],
    ['/next'],
  ],
  [
    'a rule of a host with a public root of its own',
    [
      { ...root, hosts: ['a.example'] },
      { ...members, hosts: ['a.example'] },
    ],
    ['/members'],
  ],
  [
    'a rule of all hosts, of which one has a public root',
    [{ ...root, hosts: ['a.example'] }, members],
    ['/members'],
  ],
  ['the general root at a host that has none', [root, { ...members, hosts: ['a.example'] }], ['/members']],
])('%s', (_, rules, expected) => {
  expect(protectedBelowPublicRoot(rules)).toEqual(expected);
});

test.each<[string, AccessRule[]]>([
  ['no rules', []],
  ['a root for members', [{ path: '/', access: 'members' }, members]],
  ['only the page / is public', [{ ...root, appliesTo: 'page' }, members]],
  ['everything is public', [root, { path: '/blog', access: 'public' }]],
  [
    'a page that one alternative opens to everybody',
    [root, { path: '/open', access: 'conditional', anyOf: [{ access: 'members' }, { access: 'public' }] }],
  ],
  [
    'a host with a root for members',
    [root, { path: '/', access: 'members', hosts: ['a.example'] }, { ...members, hosts: ['a.example'] }],
  ],
])('nothing with %s', (_, rules) => {
  expect(protectedBelowPublicRoot(rules)).toEqual([]);
});
