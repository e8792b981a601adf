import { readFileSync } from 'node:fs';
import type { AccessAlternative, AccessRule } from '@gatehouse/contract';
import { isWildcard, namedPart } from '@gatehouse/contract/rule-paths';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyCharacter } from '../../../../contract/test/any-character.ts';
import { ApiError } from '../../base/api-error.ts';
import { checkAccessRules } from './access-rule-checks.ts';
import { decide } from './decision/access-decision.ts';
import { compileAccessTree } from './decision/access-tree.ts';

const group = '01980a34-19e7-7a90-8c6b-d3f1a5b2c4e6';
const other = '01980a34-19e7-7a90-8c6b-d3f1a5b2c4e7';
const open = (path: string): AccessRule => ({ path, access: 'public' });

test('rules are stored sorted by path, in NFC, and without trailing slashes', () => {
  const rules = checkAccessRules([open('/zoo/'), open('/'), open('/e\u0301te\u0301'), open('/a b/c')]);
  expect(rules).toEqual([open('/'), open('/a b/c'), open('/zoo'), open('/été')]);
  expect(checkAccessRules(rules)).toEqual(rules);
});

test('groups are stored once, and any of them is enough unless the rule says otherwise', () => {
  const groupIds = [group, other, group.toUpperCase()];
  expect(checkAccessRules([{ path: '/', access: 'groups', groupIds }])).toEqual([
    { path: '/', access: 'groups', groupIds: [group, other], match: 'any' },
  ]);
  expect(checkAccessRules([{ path: '/', access: 'groups', groupIds, match: 'all' }])).toEqual([
    { path: '/', access: 'groups', groupIds: [group, other], match: 'all' },
  ]);
});

test.each([
  '/cours/été',
  '/コース/初級',
  '/~ada',
  '/talk:rowing',
  '/@ada+eve',
  '/v1.2/.well-known/a.html',
  "/it's (not) so",
])('%s can have a rule', (path) => {
  expect(checkAccessRules([open(path)])).toEqual([open(path)]);
});

test.each([
  ['courses', 'Begin the path with a slash'],
  ['', 'Begin the path with a slash'],
  ['/cours/%C3%A9t%C3%A9', 'without percent-encoding'],
  ['/100%', 'without percent-encoding'],
  ['/courses?lang=en', 'Remove the query'],
  ['/courses#top', 'Remove the query'],
  ['//', 'single slashes'],
  ['/a//b', 'single slashes'],
  ['/a//', 'single slashes'],
  ['/a;b', 'Remove control characters'],
  ['/a\\b', 'Remove control characters'],
  ['/a\nb', 'Remove control characters'],
  ['/*', 'Use * only at the end of the last name'],
  ['/blog/*', 'enter the folder'],
  ['/blog/premium-**', 'Use * only at the end of the last name'],
  ['/blog/*/images', 'Use * only at the end of the last name'],
  ['/blog/pre*um', 'Use * only at the end of the last name'],
  ['/blog/premium.*', 'end with a space or a dot'],
  ['/blog/index*', 'Use the folder'],
  ['/ind*', 'Use the folder'],
  ['/index.xm*', 'Use the folder'],
  ['/members.h*', 'Use * only at the end of the last name'],
  ['/members.html*', 'Use * only at the end of the last name'],
  ['/blog/*/', 'Use * only at the end of the last name'],
  ['/a\u037eb', 'Remove control characters'],
  ['/a\u200bb', 'invisible characters'],
  ['/a\ud800', 'invisible characters'],
  ['/a'.repeat(33), 'at most 32 nested folders'],
  ['/a/../b', 'begin with a space, or end with a space or a dot'],
  ['/a /b', 'begin with a space, or end with a space or a dot'],
  ['/a::$DATA', 'end with a colon'],
  ['/MEMBER~1', 'full names'],
  ['/a／b', 'ASCII punctuation'],
  ['/index.php/members', 'Enter the script itself'],
  ['/members/index.html', 'Use the folder'],
  ['/INDEX.php', 'Use the folder'],
  [`/${'初'.repeat(499)}`, 'Shorten the path'],
])('%j cannot have a rule', (path, advice) => {
  expectApiError([open('/a'), open(path)], '/rules/1/path', advice);
});

test('the last name of a path may end in *', () => {
  for (const path of ['/a*', '/blog/premium-*', '/cours/été*'])
    expect(checkAccessRules([open(path)])).toEqual([open(path)]);
  const paths = ['/blog/premium-*', '/blog/premium-gold*', '/blog/premium-a/b'];
  expect(checkAccessRules(paths.map(open))).toHaveLength(3);
});

test.each([
  ['/blog/premium-*', '/blog/Premium-a'],
  ['/blog/premium-a/b', '/blog/Premium*'],
  ['/blog/premium-*', '/blog/PREMIUM-GOLD-*'],
  ['/stras*', '/straße'],
])('%s and %s cannot both have rules: every path of one is ambiguous', (one, another) => {
  expectApiError([open('/'), open(one), open(another)], '/rules/2/path', 'Use one spelling');
  expectApiError([open('/'), open(another), open(one)], '/rules/2/path', 'Use one spelling');
});

test('a path can have a rule for its page beside that for its folder', () => {
  const home: AccessRule = { path: '/', access: 'public', appliesTo: 'page' };
  const folder: AccessRule = { path: '/', access: 'members', appliesTo: 'folder' };
  expect(checkAccessRules([home, open('/a'), folder])).toEqual([
    { path: '/', access: 'members' },
    home,
    open('/a'),
  ]);
  const page: AccessRule = { path: '/a', access: 'members', appliesTo: 'page' };
  expect(checkAccessRules([open('/a page'), page])).toHaveLength(2);
  expectApiError([home, folder, { ...home, access: 'members' }], '/rules/2/path', '"/" has two rules');
});

test('query parameters are stored once, for pages only', () => {
  const queryParameters = ['page', 'lang', 'page'];
  const home: AccessRule = { path: '/', appliesTo: 'page', queryParameters, access: 'public' };
  expect(checkAccessRules([home])).toEqual([{ ...home, queryParameters: ['lang', 'page'] }]);
  expect(checkAccessRules([{ ...home, queryParameters: [] }])).toEqual([
    { path: '/', appliesTo: 'page', access: 'public' },
  ]);
  const folder: AccessRule = { path: '/', queryParameters, access: 'public' };
  expectApiError([folder], '/rules/0/queryParameters', 'Only a rule for a page');
});

describe('the alternatives of a conditional rule', () => {
  const rule = (...anyOf: AccessAlternative[]): AccessRule => ({ path: '/', access: 'conditional', anyOf });

  test('are stored with times in UTC, networks in CIDR notation, and each group and network once', () => {
    const stored = checkAccessRules([
      rule(
        { access: 'members', groupIds: [group, group.toUpperCase(), other] },
        {
          access: 'public',
          from: '2026-11-22T13:00:00+01:00',
          networks: ['192.0.2.7', '192.0.2.7/32', '2001:DB8::/32'],
        },
      ),
    ]);
    expect(stored).toEqual([
      rule(
        { access: 'members', groupIds: [group, other], match: 'any' },
        { access: 'public', from: '2026-11-22T12:00:00.000Z', networks: ['192.0.2.7/32', '2001:db8::/32'] },
      ),
    ]);
    expect(checkAccessRules(stored)).toEqual(stored);
  });

  const time = '2026-11-22T12:00:00.000Z';
  test.each<[AccessAlternative, string, string]>([
    [{ access: 'public' }, 'access', 'everyone always has access'],
    [{ access: 'public', groupIds: [group], from: time }, 'groupIds', 'Only members are in groups'],
    [{ access: 'members', match: 'all' }, 'match', 'Add "groupIds"'],
    [{ access: 'members', from: time, until: time }, 'until', 'later than "from"'],
    [{ access: 'members', until: '1969-12-31T23:00:00Z' }, 'until', 'between 1970 and 9999'],
    [
      { access: 'members', networks: ['192.0.2.0/24', '192.0.2'] },
      'networks/1',
      'not an IP address or network',
    ],
    [{ access: 'members', networks: ['192.0.2.7/24'] }, 'networks/0', 'with zeros after the prefix'],
    [{ access: 'members', networks: ['::ffff:192.0.2.0/120'] }, 'networks/0', 'not an IP address or network'],
    [{ access: 'members', networks: ['0300.0.2.7'] }, 'networks/0', 'not an IP address or network'],
  ])('are rejected: %j', (alternative, field, advice) => {
    const rules = [rule({ access: 'paying_members' }, alternative)];
    expectApiError(rules, `/rules/0/anyOf/1/${field}`, advice);
  });
});

test('a path has one rule', () => {
  expectApiError([open('/a'), open('/b'), open('/a')], '/rules/2/path', '"/a" has two rules');
  expectApiError([open('/a'), open('/a/')], '/rules/1/path', '"/a" has two rules');
  expectApiError([open('/é'), open('/e\u0301')], '/rules/1/path', '"/é" has two rules');
  expectApiError([open('/'), open('/')], '/rules/1/path', '"/" has two rules');
});

test.each([
  ['/members', '/Members'],
  ['/members/a', '/MEMBERS/b'],
  ['/members/a/b', '/Members'],
  ['/straße', '/STRASSE'],
  ['/été', '/ÉTÉ'],
  ['/mail', '/ｍail'],
  ['/a b', '/a+b'],
])('%s and %s, which some servers treat as the same, cannot both have rules', (one, another) => {
  expectApiError([open(one), open(another)], '/rules/1/path', 'Use one spelling');
});

test('the rules and alternatives in the guide are accepted', () => {
  const guide = readFileSync(new URL('../../../../docs/guides/access-rules.md', import.meta.url), 'utf8');
  const texts = [...guide.matchAll(/^```json\n(.*?)^```|`(\{"access.*?\})`/gms)].map(
    ([, block, row]) => block ?? row!,
  );
  expect(texts.length).toBeGreaterThan(8);
  for (const text of texts) {
    const given = JSON.parse(text.replaceAll(/<.*?>/g, group));
    const rule = 'path' in given ? given : { path: '/', access: 'conditional', anyOf: [given] };
    expect(checkAccessRules(given.rules ?? [rule])).toBeDefined();
  }
});

test('a stored rule applies to its path', () => {
  const unit = fc.oneof(
    fc.constantFrom(
      'a',
      'B',
      '/',
      '.',
      ' ',
      '+',
      ':',
      '~',
      '1',
      '.html',
      'é',
      'e\u0301',
      '初',
      '…',
      '\u200c',
      '¥',
      '*',
    ),
    fc.string({ unit: anyCharacter, minLength: 1, maxLength: 1 }),
  );
  fc.assert(
    fc.property(fc.array(fc.array(unit, { maxLength: 6 }), { maxLength: 4 }), (paths) => {
      const rules = paths.map((units) => open(`/${units.join('')}`)).flatMap(alone);
      for (const rule of rules) {
        // Some programs drop the sign with which a beginning may end, but not within a longer name.
        const path = isWildcard(rule.path) ? `${namedPart(rule.path)}x` : rule.path;
        const target = path.split('/').map(encodeURIComponent).join('/');
        const request = {
          target,
          method: () => 'GET',
          isPreflight: () => false,
          time: 0,
          ipAddress: () => undefined,
        };
        const decision = decide(compileAccessTree([rule]), request, null, 'active');
        expect(decision, rule.path).toMatchObject({ allowed: true, reason: 'public', rule });
        expect(checkAccessRules([rule])).toEqual([rule]);
      }
    }),
    { numRuns: 5_000 },
  );
});

/** The stored form of a single rule; empty if it is rejected. */
function alone(rule: AccessRule): AccessRule[] {
  try {
    return checkAccessRules([rule]);
  } catch (error) {
    expect(error).toBeInstanceOf(ApiError);
    return [];
  }
}

function expectApiError(rules: AccessRule[], pointer: string, advice: string): void {
  let apiError: unknown;
  try {
    checkAccessRules(rules);
  } catch (error) {
    apiError = error;
  }
  expect(apiError).toBeInstanceOf(ApiError);
  const { code, details } = apiError as ApiError;
  expect(code).toBe('invalid_request');
  expect(details).toEqual([{ path: pointer, message: expect.stringContaining(advice) }]);
}

describe('a rule that passes on paths as they are', () => {
  const program = (path: string, more: object = {}): AccessRule => ({
    ...open(path),
    programPaths: true,
    ...more,
  });
  const forum = { hosts: ['forum.example.org'] };
  const moodle = { hosts: ['moodle.example.org'] };

  test.each<[string, AccessRule[]]>([
    ['a folder below it', [program('/app'), open('/app/admin')]],
    ['a folder deep below it', [program('/app'), open('/app/a/b/c')]],
    ['a page below it', [program('/app'), { ...open('/app/admin'), appliesTo: 'page' }]],
    ['only its page', [program('/app'), { ...open('/app'), appliesTo: 'page' }]],
    ['only its page at a host', [program('/app'), { ...open('/app'), appliesTo: 'page', ...forum }]],
    ['names with * below it', [program('/app'), open('/app/adm*')]],
    ['a folder below it at a host', [program('/app'), { ...open('/app/admin'), ...forum }]],
    ['a folder below it at another host', [program('/app', moodle), { ...open('/app/admin'), ...forum }]],
    ['a folder below it at all hosts', [program('/app', moodle), open('/app/admin')]],
    ['another one below it', [program('/app'), program('/app/wiki')]],
    ['a folder below a name that programs read alike', [program('/app'), open('/app-/admin')]],
    ['a folder below it in other letters', [program('/été'), open('/ete/admin')]],
    ['a folder below a page of the same name', [program('/pluginfile.php'), open('/pluginfile/admin')]],
    ['anything beside the whole site', [program('/'), open('/admin')]],
    ['anything at all hosts beside a whole host', [program('/', moodle), open('/admin')]],
    [
      'anything at the same host',
      [program('/', moodle), { ...open('/admin'), hosts: [...moodle.hosts, ...forum.hosts] }],
    ],
  ])('is rejected with a rule for %s', (_, rules) => {
    for (const order of [rules, rules.toReversed()]) {
      const pointer = `/rules/${order.indexOf(rules[0]!)}/programPaths`;
      expectApiError(order, pointer, 'Remove that rule, or leave out "programPaths"');
    }
  });

  test.each<[string, AccessRule[]]>([
    ['rules above and beside it', [open('/'), program('/app'), open('/app2'), open('/other/app/x')]],
    ['names with * beside it', [open('/app*'), program('/app')]],
    ['the page of the site', [{ ...open('/'), appliesTo: 'page' }, program('/app')]],
    ['a rule for the same folder at a host', [program('/app'), { ...open('/app'), ...forum }]],
    ['the page that it replaces at its host', [program('/', moodle), { ...open('/'), appliesTo: 'page' }]],
    ['rules of other hosts beside a whole host', [program('/', moodle), { ...open('/admin'), ...forum }]],
  ])('is possible with %s', (_, rules) => {
    expect(checkAccessRules(rules)).toHaveLength(rules.length);
  });

  test('is one for a folder or a script, and is stored only if it is set', () => {
    for (const rule of [program('/app', { appliesTo: 'page' }), program('/app*')])
      expectApiError([rule], '/rules/0/programPaths', 'Only a rule for a folder or a script');
    expect(checkAccessRules([program('/a.php'), program('/b', { programPaths: false })])).toEqual([
      program('/a.php'),
      open('/b'),
    ]);
  });
});
