import type { AccessRule } from '@gatehouse/client';
import { describe, expect, test } from 'vitest';
import { pathFault, type RuleNode, tidyPath, toRuleTree } from './rule-tree.ts';

const rule = (path: string, access: AccessRule['access'] = 'members'): AccessRule =>
  access === 'groups' ? { path, access, groupIds: ['id'] } : { path, access };

/** Each path with its access: `=` marks its own rule. */
function lines({ path, rule, above, children }: RuleNode): string[] {
  return [`${path} ${rule ? `= ${rule.access}` : (above?.access ?? 'no rule')}`, ...children.flatMap(lines)];
}

describe('the tree of rules', () => {
  test('a site without rules has only its root', () => {
    expect(lines(toRuleTree([]))).toEqual(['/ no rule']);
  });

  test('a path without a rule inherits the nearest one above it', () => {
    const tree = toRuleTree([rule('/', 'public'), rule('/courses/rowing/2026', 'groups'), rule('/courses')]);
    expect(lines(tree)).toEqual([
      '/ = public',
      '/courses = members',
      '/courses/rowing members',
      '/courses/rowing/2026 = groups',
    ]);
  });

  test('names are sorted with numbers in numeric order', () => {
    const tree = toRuleTree([rule('/week-10'), rule('/week-9')]);
    expect(lines(tree)).toEqual(['/ no rule', '/week-9 = members', '/week-10 = members']);
  });

  test('the names of built-in properties are ordinary names', () => {
    expect(lines(toRuleTree([rule('/constructor/__proto__')]))).toEqual([
      '/ no rule',
      '/constructor no rule',
      '/constructor/__proto__ = members',
    ]);
  });
});

test('a path is normalized to NFC, without unnecessary slashes', () => {
  expect(tidyPath(' /cours//e\u0301te\u0301/ ')).toBe('/cours/été');
  expect(tidyPath('/')).toBe('/');
});

test('a path that the service would reject is rejected for the same reason', () => {
  const reasonOf = (typed: string, others: readonly string[] = []) => pathFault(typed, others)?.reason;
  expect(reasonOf('courses')).toBe('slash');
  expect(reasonOf('/courses?week=1')).toBe('query');
  expect(reasonOf('/100%')).toBe('encoded');
  expect(reasonOf('/news;x')).toBe('character');
  expect(reasonOf('/courses/index.html')).toBe('index');
  expect(reasonOf('/courses/', ['/courses'])).toBe('taken');
  expect(reasonOf('/courses', ['/'])).toBeUndefined();
  expect(
    reasonOf(
      '/new',
      Array.from({ length: 1_000 }, (_, index) => `/${index}`),
    ),
  ).toBe('tooMany');
  expect(pathFault('/Courses/new', ['/', '/courses/rowing'])).toEqual({
    reason: 'spelling',
    values: { name: 'Courses', other: '/courses/rowing' },
  });
});

test('for a path with a wildcard, the error names the folder to use', () => {
  expect(pathFault('/blog/premium-*', [])).toEqual({ reason: 'wildcard', values: { folder: '/blog' } });
  expect(pathFault('/*', [])).toEqual({ reason: 'wildcard', values: { folder: '/' } });
});
