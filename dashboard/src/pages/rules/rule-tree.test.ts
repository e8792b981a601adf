import type { AccessRule } from '@gatehouse/client';
import { describe, expect, test } from 'vitest';
import { pathFault, type RuleNode, tidyPath, toRuleTree } from './rule-tree.ts';

const rule = (path: string, access: AccessRule['access'] = 'members'): AccessRule =>
  access === 'groups' ? { path, access, groupIds: ['id'] } : { path, access };

/** Each path with what holds there: `=` for a rule of its own. */
function lines({ path, rule, above, children }: RuleNode): string[] {
  return [`${path} ${rule ? `= ${rule.access}` : (above?.access ?? 'no rule')}`, ...children.flatMap(lines)];
}

describe('the tree of rules', () => {
  test('a site without rules has its root alone', () => {
    expect(lines(toRuleTree([]))).toEqual(['/ no rule']);
  });

  test('a path without a rule follows the nearest one above it', () => {
    const tree = toRuleTree([rule('/', 'public'), rule('/courses/rowing/2026', 'groups'), rule('/courses')]);
    expect(lines(tree)).toEqual([
      '/ = public',
      '/courses = members',
      '/courses/rowing members',
      '/courses/rowing/2026 = groups',
    ]);
  });

  test('names are sorted as people count', () => {
    const tree = toRuleTree([rule('/week-10'), rule('/week-9')]);
    expect(lines(tree)).toEqual(['/ no rule', '/week-9 = members', '/week-10 = members']);
  });

  test('the names of built-in properties are names like any other', () => {
    expect(lines(toRuleTree([rule('/constructor/__proto__')]))).toEqual([
      '/ no rule',
      '/constructor no rule',
      '/constructor/__proto__ = members',
    ]);
  });
});

test('a path is kept composed, and without needless slashes', () => {
  expect(tidyPath(' /cours//e\u0301te\u0301/ ')).toBe('/cours/été');
  expect(tidyPath('/')).toBe('/');
});

test('a path that cannot have a rule is refused as the service would refuse it', () => {
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

test('whoever writes a wildcard is told which folder to name', () => {
  expect(pathFault('/blog/premium-*', [])).toEqual({ reason: 'wildcard', values: { folder: '/blog' } });
  expect(pathFault('/*', [])).toEqual({ reason: 'wildcard', values: { folder: '/' } });
});
