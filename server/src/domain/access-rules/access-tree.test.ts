import type { AccessRule } from '@gatehouse/contract';
import { fold } from '@gatehouse/contract/rule-paths';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { expectedRule, names, ruleTrees } from '../../../test/gate/reference.ts';
import { compileAccessTree, findRule } from './access-tree.ts';

const open = (path: string): AccessRule => ({ path, access: 'public' });

/** The path of the rule that applies; null for none, undefined when it is ambiguous. */
function ruleFor(paths: string[], ...segments: string[]): string | null | undefined {
  const rule = findRule(compileAccessTree(paths.map(open)), segments);
  return rule ? rule.path : rule;
}

test('a path follows the rule of its nearest ancestor', () => {
  const paths = ['/', '/a', '/a/b/c'];
  expect(ruleFor(paths)).toBe('/');
  expect(ruleFor(paths, 'x', 'y')).toBe('/');
  expect(ruleFor(paths, 'a')).toBe('/a');
  expect(ruleFor(paths, 'ab')).toBe('/');
  expect(ruleFor(paths, 'a', 'b')).toBe('/a');
  expect(ruleFor(paths, 'a', 'b', 'c', 'd')).toBe('/a/b/c');
  expect(ruleFor(paths, 'a', 'b', 'd')).toBe('/a');
});

test('without a rule on an ancestor, no rule applies', () => {
  expect(ruleFor([])).toBeNull();
  expect(ruleFor([], 'a', 'B')).toBeNull();
  expect(ruleFor(['/a/b'], 'a')).toBeNull();
  expect(ruleFor(['/a/b'], 'b')).toBeNull();
});

test('a path that differs from a rule only in its spelling is ambiguous', () => {
  expect(ruleFor(['/members'], 'Members')).toBeUndefined();
  expect(ruleFor(['/members'], 'MEMBERS', 'a')).toBeUndefined();
  expect(ruleFor(['/members/a'], 'Members', 'b')).toBeUndefined();
  expect(ruleFor(['/members/a'], 'members', 'A')).toBeUndefined();
  expect(ruleFor(['/members/a'], 'members', 'B')).toBeNull();
  expect(ruleFor(['/été'], 'e\u0301te\u0301')).toBeUndefined();
  expect(ruleFor(['/straße'], 'STRASSE')).toBeUndefined();
  expect(ruleFor(['/mail'], 'ｍail')).toBeUndefined();
  expect(ruleFor(['/club area'], 'club+area')).toBeUndefined();
  expect(ruleFor(['/کتابها'], 'کتاب\u200cها')).toBeUndefined();
});

test('a name that the rules themselves spell in two ways is ambiguous', () => {
  expect(ruleFor(['/a', '/A'], 'a')).toBeUndefined();
  expect(ruleFor(['/a', '/A'], 'A', 'b')).toBeUndefined();
  expect(ruleFor(['/a', '/A'], 'a.html')).toBeUndefined();
});

test('a page follows the rule of its path, and a path follows the rule of its page', () => {
  for (const ending of ['.html', '.htm', '.php', '.html.gz']) {
    expect(ruleFor(['/', '/members'], `members${ending}`)).toBe('/members');
    expect(ruleFor(['/', `/members${ending}`], 'members')).toBe(`/members${ending}`);
    expect(ruleFor(['/', '/a/members', '/a'], 'a', `members${ending}`)).toBe('/a/members');
  }
  expect(ruleFor(['/', '/members'], 'members.txt')).toBe('/');
  expect(ruleFor(['/', '/members/a'], 'members.html')).toBe('/');
  expect(ruleFor(['/', '/members.html', '/members/a'], 'members')).toBe('/members.html');
  expect(ruleFor(['/', '/members.html', '/members/a'], 'members', 'b')).toBe('/');
  expect(ruleFor(['/', '/members.html'], 'members', 'b')).toBe('/');
});

test('a page with its own rule follows that rule, and its other names are ambiguous', () => {
  const paths = ['/members', '/members.html'];
  expect(ruleFor(paths, 'members')).toBe('/members');
  expect(ruleFor(paths, 'members.html')).toBe('/members.html');
  expect(ruleFor(paths, 'members.htm')).toBeUndefined();
});

test('a page spelled in another case is ambiguous, and so is a path after it', () => {
  expect(ruleFor(['/members'], 'Members.html')).toBeUndefined();
  expect(ruleFor(['/members'], 'members.HTML')).toBeUndefined();
  expect(ruleFor(['/Members.html'], 'members')).toBeUndefined();
  expect(ruleFor(['/members'], 'members.html', 'a')).toBeUndefined();
  expect(ruleFor(['/members', '/members.html'], 'members.html', 'a')).toBe('/members.html');
});

test('the tree finds the same rule as a linear search', () => {
  fc.assert(
    fc.property(ruleTrees, fc.array(names, { maxLength: 5 }), (rules, path) => {
      expect(findRule(compileAccessTree(rules), path)).toEqual(expectedRule(rules, path));
    }),
    { numRuns: 5_000 },
  );
});

test('case folding twice changes nothing', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const folded = fold(text.toWellFormed());
      expect(fold(folded)).toBe(folded);
    }),
    { numRuns: 5_000 },
  );
});
