import type {
  AccessAlternative,
  AccessReason,
  AccessRule,
  AlternativeResult,
  SiteStatus,
} from '@gatehouse/contract';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { allPathTricks } from '../../../../test/gate/path-tricks.ts';
import {
  expectedRules,
  names,
  readings,
  ruleTrees,
  targets,
  variants,
} from '../../../../test/gate/reference.ts';
import type { VisitorState } from './access-conditions.ts';
import { decide, type PageRequest } from './access-decision.ts';
import { type AccessTree, compileAccessTree } from './access-tree.ts';

const rowers = '01980a34-19e7-7a90-8c6b-d3f1a5b2c4e6';
const coaches = '01980a34-19e7-7a90-8c6b-d3f1a5b2c4e7';

const noon = Date.parse('2026-11-22T12:00:00.000Z');

/** A request for a target, by default with GET, at noon, from an unknown address. */
interface About extends Partial<Pick<PageRequest, 'time' | 'ipAddress'>> {
  readonly method?: string | undefined;
  readonly preflight?: boolean;
}

const request = (target: string, about: About = {}): PageRequest => {
  const { method, preflight } = { method: 'GET', preflight: false, ...about };
  const circumstances = { time: noon, ipAddress: () => undefined, ...about };
  return { target, ...circumstances, method: () => method, isPreflight: () => preflight };
};
const get = (tree: AccessTree, target: string, visitor: VisitorState | null, status: SiteStatus = 'active') =>
  decide(tree, request(target), visitor, status);

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
  expect(get(tree, target, visitor)).toEqual({ allowed, reason, rule, alternatives: null });
});

test('a site without rules is for members', () => {
  const none = compileAccessTree([]);
  expect(get(none, '/', null)).toEqual({
    allowed: false,
    reason: 'anonymous',
    rule: null,
    alternatives: null,
  });
  expect(get(none, '/', blocked)).toEqual({
    allowed: false,
    reason: 'blocked',
    rule: null,
    alternatives: null,
  });
  expect(get(none, '/a', member)).toEqual({
    allowed: true,
    reason: 'member',
    rule: null,
    alternatives: null,
  });
});

test('a suspended site is denied to everyone, before any other check', () => {
  const denied = { allowed: false, reason: 'site_suspended', rule: null, alternatives: null };
  for (const visitor of [null, blocked, member, rower]) {
    for (const target of ['/', '/rowing', '/..']) {
      expect(get(tree, target, visitor, 'suspended')).toEqual(denied);
    }
  }
});

test('an ambiguous path is denied to everyone, even on a public site', () => {
  const denied = { allowed: false, reason: 'ambiguous_path', rule: null, alternatives: null };
  for (const visitor of [null, blocked, member, rower]) {
    for (const target of ['/a/..', '//', '/AREA', '/a;b', '/%2561']) {
      expect(get(tree, target, visitor)).toEqual(denied);
    }
  }
});

test('a rule for groups without any group denies everyone', () => {
  for (const match of ['any', 'all'] as const) {
    const empty = compileAccessTree([{ path: '/', access: 'groups', groupIds: [], match }]);
    expect(get(empty, '/', rower).allowed).toBe(false);
  }
});

describe('a public page of a site for members', () => {
  const home: AccessRule = { path: '/', appliesTo: 'page', access: 'public' };
  const own = compileAccessTree([
    { path: '/', access: 'members' },
    { ...home, queryParameters: ['lang', 'page_2'] },
  ]);
  const reason = (target: string, about: About = {}) =>
    decide(own, request(target, about), null, 'active').reason;

  test('is public for GET and HEAD with no query or with the listed parameters', () => {
    for (const target of [
      '/',
      '/?',
      '/?lang=en',
      '/?lang',
      '/?page_2=&lang=a%26p=7',
      '/index.html?lang=?p=7',
    ])
      expect(reason(target), target).toBe('public');
    expect(reason('/', { method: 'HEAD' })).toBe('public');
  });

  test('follows the rule of its folder for other methods, unknown methods and other parameters', () => {
    for (const method of ['POST', 'DELETE', 'get', 'PROPFIND', '', undefined])
      expect(reason('/', { method }), method).toBe('anonymous');
    const others = [
      'p=7',
      'lang=en&p=7',
      'Lang=en',
      'l%61ng=en',
      'lang[]=en',
      'lang=en;p=7',
      '&',
      '=',
      '+lang=en',
    ];
    for (const query of others) expect(reason(`/?${query}`), query).toBe('anonymous');
    expect(reason('/about')).toBe('anonymous');
    expect(decide(own, request('/?p=7'), member, 'active')).toMatchObject({
      reason: 'member',
      rule: { path: '/' },
    });
  });

  test('for members of a public site stays for members, whatever the request', () => {
    const strict = compileAccessTree([
      { path: '/', access: 'public' },
      { path: '/area', appliesTo: 'page', access: 'members' },
    ]);
    for (const target of ['/area', '/area/', '/area.html', '/area?p=7', '/area/index.html']) {
      for (const method of ['GET', 'POST', undefined]) {
        expect(decide(strict, request(target, { method }), null, 'active').reason).toBe('anonymous');
      }
    }
    expect(get(strict, '/area/images', null).reason).toBe('public');
  });
});

describe('a rule that lets preflights pass', () => {
  const tree = (...own: AccessRule[]) => compileAccessTree(own);
  const reasonOf = (own: AccessTree, target: string, about: About = { method: 'OPTIONS', preflight: true }) =>
    decide(own, request(target, about), null, 'active').reason;
  const api = { path: '/api', access: 'paying_members', preflights: true } as const;

  test('allows them at and below its path, down to the next rule, and nothing else', () => {
    const own = tree(api, { path: '/api/private', access: 'members' });
    for (const target of ['/api', '/api/', '/api/x?y=1']) expect(reasonOf(own, target)).toBe('preflight');
    for (const target of ['/api/private', '/api/private/x', '/', '/apis'])
      expect([target, reasonOf(own, target)]).toEqual([target, 'anonymous']);
    for (const method of ['OPTIONS', 'GET', 'POST', undefined])
      expect(reasonOf(own, '/api', { method })).toBe('anonymous');
    const check = request('/api', { preflight: true });
    expect(decide(own, check, null, 'suspended').reason).toBe('site_suspended');
    expect(decide(own, check, member, 'active')).toMatchObject({ allowed: true, rule: { path: '/api' } });
  });

  test('allows them for a page only with listed parameters, unless its folder does too', () => {
    const page: AccessRule = { ...api, appliesTo: 'page', queryParameters: ['lang'] };
    const own = tree(page);
    const targets = { '/api': true, '/api?lang=en': true, '/api?p=7': false, '/api/x': false };
    for (const [target, isAllowed] of Object.entries(targets))
      expect([target, reasonOf(own, target)]).toEqual([target, isAllowed ? 'preflight' : 'anonymous']);
    expect(reasonOf(tree(page, { ...api, path: '/' }), '/api?p=7')).toBe('preflight');
    const strict = tree({ path: '/', access: 'members', preflights: true }, { ...page, preflights: false });
    expect(reasonOf(strict, '/api')).toBe('anonymous');
  });

  test('does so in every kind of rule', () => {
    const kinds: AccessRule[] = [
      { path: '/', preflights: true, access: 'public' },
      { path: '/', preflights: true, access: 'groups', groupIds: [rowers] },
      { path: '/', preflights: true, access: 'conditional', anyOf: [{ access: 'members' }] },
    ];
    for (const rule of kinds) expect(reasonOf(tree(rule), '/x')).toBe('preflight');
  });

  test('denies every path that is denied without it, to preflights and to all others', () => {
    const open = { path: '/', access: 'members', preflights: true } as const;
    const own = tree(open, { path: '/members', access: 'members' });
    const without = tree({ path: '/', access: 'public' }, { path: '/members', access: 'members' });
    for (const { target, note } of allPathTricks) {
      const isAllowed = get(without, target, null).allowed;
      const reason = reasonOf(own, target);
      expect([note, target, reason === 'preflight']).toEqual([note, target, isAllowed]);
      expect(get(own, target, null).allowed).toBe(false);
    }
  });
});

describe('a conditional rule', () => {
  const rule = (...anyOf: AccessAlternative[]): AccessRule => ({ path: '/', access: 'conditional', anyOf });
  const check = (own: AccessRule, visitor: VisitorState | null, about: About = {}) =>
    decide(compileAccessTree([own]), request('/', about), visitor, 'active');

  test('allows whoever meets all requirements of one alternative', () => {
    const own = rule({ access: 'members', groupIds: [rowers] }, { access: 'paying_members' });
    const cases: [VisitorState | null, AccessReason, AlternativeResult[]][] = [
      [null, 'anonymous', ['login', 'login']],
      [blocked, 'blocked', ['active', 'active']],
      [member, 'condition_not_met', ['groups', 'paid']],
      [rower, 'condition_met', ['met', 'paid']],
      [{ ...member, paid: true }, 'condition_met', ['groups', 'met']],
    ];
    for (const [visitor, reason, alternatives] of cases) {
      const allowed = reason === 'condition_met';
      expect(check(own, visitor)).toEqual({ allowed, reason, rule: own, alternatives });
    }
  });

  test('can require several groups, one of several, and groups of paying members', () => {
    const both = rule(
      { access: 'members', groupIds: [rowers, coaches], match: 'all' },
      { access: 'paying_members', groupIds: [rowers, coaches], match: 'any' },
    );
    expect(check(both, rower).alternatives).toEqual(['groups', 'paid']);
    expect(check(both, { ...member, groupIds: [rowers, coaches] }).alternatives).toEqual(['met', 'paid']);
    expect(check(both, { ...rower, paid: true }).alternatives).toEqual(['groups', 'met']);
    expect(check(both, { ...member, paid: true }).alternatives).toEqual(['groups', 'groups']);
  });

  test('holds from its first moment to before its last one', () => {
    const own = rule({
      access: 'public',
      from: '2026-11-22T12:00:00.000Z',
      until: '2026-11-22T13:00:00.000Z',
    });
    const at = (time: string) => check(own, null, { time: Date.parse(`2026-11-22T${time}Z`) });
    expect(at('11:59:59.999')).toMatchObject({ reason: 'condition_not_met', alternatives: ['from'] });
    expect(at('12:00:00.000')).toMatchObject({ reason: 'condition_met', alternatives: ['met'] });
    expect(at('12:59:59.999').allowed).toBe(true);
    expect(at('13:00:00.000')).toMatchObject({ reason: 'condition_not_met', alternatives: ['until'] });
  });

  test('knows the networks of visitors, also in the form of IPv6', () => {
    const own = rule({ access: 'public', networks: ['192.0.2.0/24', '198.51.100.7/32', '2001:db8::/32'] });
    const from = (address: string | undefined) => check(own, null, { ipAddress: () => address }).allowed;
    for (const address of ['192.0.2.1', '::ffff:192.0.2.255', '198.51.100.7', '2001:db8:1::1'])
      expect(from(address), address).toBe(true);
    const others = [
      '192.0.3.1',
      '198.51.100.8',
      '2001:db9::1',
      '::ffff:198.51.100.8',
      'unknown',
      '',
      '192.0.2',
    ];
    for (const address of [...others, '2001:db8::1%eth0', '3221225985', undefined])
      expect(from(address), address).toBe(false);
  });

  test('sends visitors to the login page only if a login may help', () => {
    const network = { networks: ['192.0.2.0/24'] };
    expect(check(rule({ access: 'members', ...network }), null).reason).toBe('condition_not_met');
    const either = rule({ access: 'members', ...network }, { access: 'members', groupIds: [rowers] });
    expect(check(either, null).reason).toBe('anonymous');
    expect(check(either, blocked).reason).toBe('blocked');
  });
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
    [
      'names of a group on a public site',
      [
        { path: '/', access: 'public' },
        { path: '/members*', access: 'groups', groupIds: [rowers] },
      ],
    ],
    [
      'a public home page and public names on a site for members',
      [
        { path: '/', access: 'members' },
        { path: '/', access: 'public', appliesTo: 'page' },
        { path: '/pub*', access: 'public' },
      ],
    ],
  ];
  describe.each(sites)('%s', (_, own) => {
    const ownTree = compileAccessTree(own);
    test.each(allPathTricks)('$note: $target', ({ target }) => {
      expect(get(ownTree, target, null).allowed).toBe(false);
      expect(get(ownTree, target, blocked).allowed).toBe(false);
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
        const decisions = variants(path, choices).map((target) => get(ownTree, target, visitor));
        for (const decision of decisions) {
          if (decision.reason === 'ambiguous_path') continue;
          expect(decision).toEqual(decisions[0]);
          const { page, folder } = expectedRules(own, path)!;
          expect(decision.rule).toEqual(page ?? folder);
        }
      },
    ),
    { numRuns: 2_000 },
  );
});

test('no target gets more access than its strictest reading allows', () => {
  fc.assert(
    fc.property(ruleTrees, targets, (own, target) => {
      const decision = get(compileAccessTree(own), target, null);
      if (!decision.allowed) return;
      for (const reading of readings(target)) {
        const found = expectedRules(own, reading);
        const isPlain = /^[^?]*\??$/.test(target);
        const required = found?.page ? [found.page, ...(isPlain ? [] : [found.folder])] : [found?.folder];
        for (const rule of required) {
          expect(rule, `read as /${reading.join('/')}`).toMatchObject({ access: 'public' });
        }
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
  const reasons = (target: string) => get(own, target, null).reason;
  for (const target of ['/members/index.php/', '/members/index.php/?page=2', '/index.php/members', '/a.PHP/'])
    expect(reasons(target), target).toBe('ambiguous_path');
  for (const target of ['/members/index.php', '/members.html/', '/v1.2/'])
    expect(reasons(target), target).not.toBe('ambiguous_path');
});

test('anonymous visitors and blocked members have access only to public paths', () => {
  fc.assert(
    fc.property(ruleTrees, targets, (own, target) => {
      const ownTree = compileAccessTree(own);
      const anonymous = get(ownTree, target, null);
      const ofBlocked = get(ownTree, target, blocked);
      expect(anonymous.allowed).toBe(anonymous.rule?.access === 'public');
      expect(ofBlocked.allowed).toBe(anonymous.allowed);
      expect(ofBlocked.rule).toEqual(anonymous.rule);
    }),
    { numRuns: 5_000 },
  );
});

const visitors = fc.constantFrom(null, blocked, member, rower);

describe('page codes', () => {
  const [ours, theirs] = ['01980a43-ae4b-7031-8269-8f9a0b1c2d34', '01980a43-ae4b-7031-8269-8f9a0b1c2d35'];
  const having = (...entered: string[]) => ({
    pageCodes: { hasAny: (ids: readonly string[]) => ids.some((id) => entered.includes(id)) },
  });
  const decideWith = (
    codeRules: AccessRule[],
    target: string,
    visitor: VisitorState | null,
    ...ids: string[]
  ) =>
    decide(compileAccessTree(codeRules), { ...request(target), ...having(...ids) }, visitor, 'active').reason;
  const codeRule = (path: string, ...pageCodeIds: string[]) =>
    ({ path, access: 'code', pageCodeIds }) as const;

  test.each<[VisitorState | null, string[], AccessReason]>([
    [null, [], 'code_required'],
    [member, [], 'code_required'],
    [null, [theirs], 'code_required'],
    [null, [ours], 'page_code'],
    [member, [theirs, ours], 'page_code'],
    [blocked, [ours], 'page_code'],
  ])('a rule for a code looks at the codes alone: %#', (visitor, ids, reason) => {
    expect(decideWith([codeRule('/class', ours)], '/class/a', visitor, ...ids)).toBe(reason);
  });

  test.each<[AccessAlternative, VisitorState | null, AccessReason]>([
    [{ access: 'members' }, null, 'anonymous'],
    [{ access: 'members' }, blocked, 'blocked'],
    [{ access: 'paying_members' }, member, 'condition_not_met'],
    [{ access: 'members', groupIds: [coaches] }, rower, 'condition_not_met'],
    [{ access: 'public', until: '2026-01-01T00:00:00.000Z' }, null, 'code_required'],
    [{ access: 'public', networks: ['192.0.2.0/24'] }, member, 'code_required'],
  ])('beside %j, without a code, %j is %s', (alternative, visitor, reason) => {
    const anyOf: AccessAlternative[] = [alternative, { access: 'code', pageCodeIds: [ours] }];
    const rule: AccessRule = { path: '/class', access: 'conditional', anyOf };
    expect(decideWith([rule], '/class', visitor)).toBe(reason);
    expect(decideWith([rule], '/class', visitor, ours)).toBe('condition_met');
  });

  test('an alternative of a newer version lets nobody in', () => {
    const anyOf = [{ access: 'voucher' }] as unknown as AccessAlternative[];
    const rule: AccessRule = { path: '/', access: 'conditional', anyOf };
    for (const visitor of [null, member, blocked])
      expect(decide(compileAccessTree([rule]), request('/'), visitor, 'active').allowed).toBe(false);
  });

  test('a code counts only at the time and from the networks of its alternative', () => {
    const anyOf: AccessAlternative[] = [
      { access: 'code', pageCodeIds: [ours], until: '2026-01-01T00:00:00.000Z' },
      { access: 'code', pageCodeIds: [theirs], networks: ['192.0.2.0/24'] },
    ];
    const rule: AccessRule = { path: '/', access: 'conditional', anyOf };
    expect(decideWith([rule], '/', null, ours, theirs)).toBe('condition_not_met');
  });

  test('a page with a code of its own needs that of the folder too where a query may choose another page', () => {
    const both: AccessRule[] = [
      codeRule('/class', ours),
      { ...codeRule('/class', theirs), appliesTo: 'page' },
    ];
    expect(decideWith(both, '/class', null, theirs)).toBe('page_code');
    expect(decideWith(both, '/class?p=7', null, theirs)).toBe('code_required');
    expect(decideWith(both, '/class?p=7', null, ours)).toBe('code_required');
    expect(decideWith(both, '/class?p=7', null, ours, theirs)).toBe('page_code');
  });
});
