import type { AccessRule } from '@gatehouse/contract';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ApiError } from '../../base/api-error.ts';
import { decide } from './access-decision.ts';
import { checkAccessRules } from './access-rule-checks.ts';
import { compileAccessTree } from './access-tree.ts';

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
  ['/a*', 'rules have no wildcards'],
  ['/blog/premium-*', 'Enter the folder'],
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
    ),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  );
  fc.assert(
    fc.property(fc.array(fc.array(unit, { maxLength: 6 }), { maxLength: 4 }), (paths) => {
      const rules = paths.map((units) => open(`/${units.join('')}`)).flatMap(alone);
      for (const rule of rules) {
        const target = rule.path.split('/').map(encodeURIComponent).join('/');
        const decision = decide(compileAccessTree([rule]), target, null, 'active');
        expect(decision, rule.path).toEqual({ allowed: true, reason: 'public', rule });
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
