import type { AccessRule } from '@gatehouse/client';
import { describe, expect, test } from 'vitest';
import { pathFault, type RuleNode, tidyPath, toRuleTree } from './rule-tree.ts';

const rule = (path: string, access: 'public' | 'members' | 'groups' = 'members'): AccessRule =>
  access === 'groups' ? { path, access, groupIds: ['id'] } : { path, access };
const page = (path: string): AccessRule => ({ path, appliesTo: 'page', access: 'paying_members' });

/** Each path with its access: `=` marks its own rule, `+` that for only its page. */
function lines({ path, rule, page, above, children }: RuleNode): string[] {
  const folder = rule ? `= ${rule.access}` : (above?.access ?? 'no rule');
  return [`${path} ${folder}${page ? ` + ${page.access}` : ''}`, ...children.flatMap(lines)];
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

  test('a path can have a rule for only its page, which paths below it do not follow', () => {
    const tree = toRuleTree([rule('/'), page('/'), page('/blog'), rule('/blog/2026/may', 'public')]);
    expect(lines(tree)).toEqual([
      '/ = members + paying_members',
      '/blog members + paying_members',
      '/blog/2026 members',
      '/blog/2026/may = public',
    ]);
  });

  test('a path without a rule follows the longest name with * that matches, and others do not', () => {
    const tree = toRuleTree([
      rule('/'),
      rule('/p*', 'public'),
      rule('/premium-*', 'groups'),
      rule('/premium-1/a'),
      rule('/press/a'),
      page('/premium-2'),
      rule('/news/a'),
    ]);
    expect(lines(tree).filter((line) => !line.includes('/a'))).toEqual([
      '/ = members',
      '/news members',
      '/p* = public',
      '/premium-* = groups',
      '/premium-1 groups',
      '/premium-2 members + paying_members',
      '/press public',
    ]);
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
  const reasonOf = (path: string, others: readonly string[] = []) =>
    pathFault(
      { path },
      others.map((path) => ({ path })),
    )?.reason;
  expect(reasonOf('courses')).toBe('slash');
  expect(reasonOf('/courses?week=1')).toBe('query');
  expect(reasonOf('/100%')).toBe('encoded');
  expect(reasonOf('/news;x')).toBe('character');
  expect(reasonOf('/courses/index.html')).toBe('index');
  expect(reasonOf('/courses/', ['/courses'])).toBe('taken');
  expect(reasonOf('/courses', ['/'])).toBeUndefined();
  expect(reasonOf('/blog/premium-*', ['/blog/premium-1'])).toBeUndefined();
  expect(reasonOf('/blog/premium-*', ['/blog/Premium-1'])).toBe('spelling');
  expect(
    reasonOf(
      '/new',
      Array.from({ length: 1_000 }, (_, index) => `/${index}`),
    ),
  ).toBe('tooMany');
  expect(
    reasonOf(
      '/new',
      Array.from({ length: 999 }, (_, index) => `/${index}${'/deeper'.repeat(20)}`),
    ),
  ).toBe('tooManyNames');
  expect(pathFault({ path: '/Courses/new' }, [{ path: '/' }, { path: '/courses/rowing' }])).toEqual({
    reason: 'spelling',
    values: { name: 'Courses', other: '/courses/rowing' },
  });
});

test('a path can have one rule for everything below it and one for only its page', () => {
  const folder = { path: '/courses' };
  const page = { ...folder, appliesTo: 'page' } as const;
  expect(pathFault(page, [folder])).toBeNull();
  expect(pathFault(folder, [page])).toBeNull();
  expect(pathFault({ ...page, path: '/courses/' }, [folder, page])?.reason).toBe('takenPage');
  expect(pathFault({ ...folder, appliesTo: 'folder' }, [folder, page])?.reason).toBe('taken');
});

test('for a * in another place, the error names the folder to use', () => {
  expect(pathFault({ path: '/blog/*/new' }, [])).toEqual({ reason: 'wildcard', values: { folder: '/blog' } });
  expect(pathFault({ path: '/*' }, [])).toEqual({ reason: 'wildcard', values: { folder: '/' } });
});

test('a rule for some hosts stands beside the rule for all hosts, and another path does not follow it', () => {
  const general: AccessRule = { path: '/', access: 'public' };
  const forum: AccessRule = { path: '/', hosts: ['forum.example.org'], access: 'members' };
  const help: AccessRule = { path: '/help', hosts: ['forum.example.org'], access: 'public' };
  const root = toRuleTree([general, forum, help]);
  expect(root).toMatchObject({ rule: general, atHosts: [forum] });
  expect(root.children).toMatchObject([{ rule: undefined, atHosts: [help], above: general }]);
  const others = [general, forum];
  const fault = (hosts: string[]) => pathFault({ path: '/', hosts }, others)?.reason;
  expect([fault(['forum.example.org']), fault(['club.example.org'])]).toEqual(['taken', undefined]);
});
