import type { AccessReason, AccessRule } from '@gatehouse/contract';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pathTricks } from '../../../test/gate/path-tricks.ts';
import { expectedRule, names, readings, ruleTrees, targets, variants } from '../../../test/gate/reference.ts';
import { decide, type VisitorState } from './access-decision.ts';
import { compileAccessTree } from './access-tree.ts';

const rowers = '01980a34-19e7-7a90-8c6b-d3f1a5b2c4e6';
const coaches = '01980a34-19e7-7a90-8c6b-d3f1a5b2c4e7';

const member: VisitorState = { status: 'active', paid: false, groupIds: [] };
const blocked: VisitorState = { status: 'blocked', paid: true, groupIds: [rowers, coaches] };
const rower: VisitorState = { ...member, groupIds: [rowers] };

const rules: AccessRule[] = [
  { path: '/', access: 'public' },
  { path: '/area', access: 'members' },
  { path: '/magazine', access: 'paying_members' },
  { path: '/rowing', access: 'groups', groupIds: [rowers, coaches], match: 'any' },
  { path: '/training', access: 'groups', groupIds: [rowers, coaches], match: 'all' },
];
const tree = compileAccessTree(rules);

const cases: [string, VisitorState | null, AccessReason][] = [
  ['/', null, 'public'],
  ['/about', blocked, 'public'],
  ['/about', member, 'public'],
  ['/area', null, 'anonymous'],
  ['/area', blocked, 'blocked'],
  ['/area/news?page=2', member, 'member'],
  ['/magazine', null, 'anonymous'],
  ['/magazine', blocked, 'blocked'],
  ['/magazine', member, 'not_paying'],
  ['/magazine', { ...member, paid: null }, 'not_paying'],
  ['/magazine', { ...member, paid: true }, 'paying_member'],
  ['/rowing', null, 'anonymous'],
  ['/rowing', blocked, 'blocked'],
  ['/rowing', member, 'not_in_groups'],
  ['/rowing', rower, 'group_member'],
  ['/rowing', { ...member, groupIds: new Set([coaches]) }, 'group_member'],
  ['/training', rower, 'not_in_groups'],
  ['/training', { ...member, groupIds: new Set([coaches, rowers]) }, 'group_member'],
  ['/training', { ...member, groupIds: [rowers, coaches] }, 'group_member'],
];

test.each(cases)('%s for %j: %s', (target, visitor, reason) => {
  const allowed = ['public', 'member', 'paying_member', 'group_member'].includes(reason);
  const path = target.match(/^\/(?:area|magazine|rowing|training)?/)![0];
  const rule = rules.find((each) => each.path === path);
  expect(decide(tree, target, visitor, 'active')).toEqual({ allowed, reason, rule });
});

test('a site without rules is for members', () => {
  const none = compileAccessTree([]);
  expect(decide(none, '/', null, 'active')).toEqual({ allowed: false, reason: 'anonymous', rule: null });
  expect(decide(none, '/', blocked, 'active')).toEqual({ allowed: false, reason: 'blocked', rule: null });
  expect(decide(none, '/a', member, 'active')).toEqual({ allowed: true, reason: 'member', rule: null });
});

test('a suspended site is denied to everyone, before any other check', () => {
  const denied = { allowed: false, reason: 'site_suspended', rule: null };
  for (const visitor of [null, blocked, member, rower]) {
    for (const target of ['/', '/rowing', '/..']) {
      expect(decide(tree, target, visitor, 'suspended')).toEqual(denied);
    }
  }
});

test('an ambiguous path is denied to everyone, even on a public site', () => {
  const denied = { allowed: false, reason: 'ambiguous_path', rule: null };
  for (const visitor of [null, blocked, member, rower]) {
    for (const target of ['/a/..', '//', '/AREA', '/a;b', '/%2561']) {
      expect(decide(tree, target, visitor, 'active')).toEqual(denied);
    }
  }
});

test('a rule for groups without any group denies everyone', () => {
  for (const match of ['any', 'all'] as const) {
    const empty = compileAccessTree([{ path: '/', access: 'groups', groupIds: [], match }]);
    expect(decide(empty, '/', rower, 'active').allowed).toBe(false);
  }
});

describe('an anonymous visitor is denied with', () => {
  const sites: [string, AccessRule[]][] = [
    [
      'a folder for a group on a public site',
      [
        { path: '/', access: 'public' },
        { path: '/members', access: 'groups', groupIds: [rowers] },
      ],
    ],
    [
      'a public folder on a site for members',
      [
        { path: '/', access: 'members' },
        { path: '/public', access: 'public' },
      ],
    ],
  ];
  describe.each(sites)('%s', (_, own) => {
    const ownTree = compileAccessTree(own);
    test.each(pathTricks)('$note: $target', ({ target }) => {
      expect(decide(ownTree, target, null, 'active').allowed).toBe(false);
      expect(decide(ownTree, target, blocked, 'active').allowed).toBe(false);
    });
  });
});

test('however a path is percent-encoded, the decision is the same, or the path is ambiguous', () => {
  fc.assert(
    fc.property(
      ruleTrees,
      fc.array(names, { maxLength: 4 }),
      fc.infiniteStream(fc.nat()),
      visitors,
      (own, path, choices, visitor) => {
        const ownTree = compileAccessTree(own);
        const decisions = variants(path, choices).map((target) => decide(ownTree, target, visitor, 'active'));
        for (const decision of decisions) {
          if (decision.reason === 'ambiguous_path') continue;
          expect(decision).toEqual(decisions[0]);
          expect(decision.rule).toEqual(expectedRule(own, path));
        }
      },
    ),
    { numRuns: 2_000 },
  );
});

test('no target gets more access than its strictest reading allows', () => {
  fc.assert(
    fc.property(ruleTrees, targets, (own, target) => {
      const decision = decide(compileAccessTree(own), target, null, 'active');
      if (!decision.allowed) return;
      for (const reading of readings(target)) {
        expect(expectedRule(own, reading), `read as /${reading.join('/')}`).toMatchObject({
          access: 'public',
        });
      }
    }),
    { numRuns: 20_000 },
  );
});

test('a slash after a script makes its path ambiguous, as some servers read on behind it', () => {
  const own = compileAccessTree([
    { path: '/', access: 'public' },
    { path: '/members.html', access: 'members' },
  ]);
  const reasons = (target: string) => decide(own, target, null, 'active').reason;
  for (const target of ['/members/index.php/', '/members/index.php/?page=2', '/index.php/members', '/a.PHP/'])
    expect(reasons(target), target).toBe('ambiguous_path');
  for (const target of ['/members/index.php', '/members.html/', '/v1.2/'])
    expect(reasons(target), target).not.toBe('ambiguous_path');
});

test('anonymous visitors and blocked members have access only to public paths', () => {
  fc.assert(
    fc.property(ruleTrees, targets, (own, target) => {
      const ownTree = compileAccessTree(own);
      const anonymous = decide(ownTree, target, null, 'active');
      const ofBlocked = decide(ownTree, target, blocked, 'active');
      expect(anonymous.allowed).toBe(anonymous.rule?.access === 'public');
      expect(ofBlocked.allowed).toBe(anonymous.allowed);
      expect(ofBlocked.rule).toEqual(anonymous.rule);
    }),
    { numRuns: 5_000 },
  );
});

const visitors = fc.constantFrom(null, blocked, member, rower);
