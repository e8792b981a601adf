import type { AccessRule } from '@gatehouse/contract';
import { fold } from '@gatehouse/contract/rule-paths';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyCharacter } from '../../../../../contract/test/any-character.ts';
import { expectedRules, names, ruleTrees } from '../../../../test/gate/reference.ts';
import { compileAccessTree, findRules } from './access-tree.ts';

const open = (path: string): AccessRule => ({ path, access: 'public' });

/** The path of the rule that applies; null for none, undefined when it is ambiguous. */
function ruleFor(paths: string[], ...segments: string[]): string | null | undefined {
  const found = findRules(compileAccessTree(paths.map(open)), segments);
  return found && (found.folder?.path ?? null);
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

const page = (path: string): AccessRule => ({ path, access: 'public', appliesTo: 'page' });

/** The paths of the rules for the page and for the folder; undefined when it is ambiguous. */
function rulesFor(rules: AccessRule[], ...segments: string[]) {
  const found = findRules(compileAccessTree(rules), segments);
  return found && [found.page?.path ?? null, found.folder?.path ?? null];
}

test('a rule for a page applies to the page and its other names, and to nothing below it', () => {
  const rules = [open('/'), page('/'), page('/courses')];
  expect(rulesFor(rules)).toEqual(['/', '/']);
  expect(rulesFor(rules, 'about')).toEqual([null, '/']);
  expect(rulesFor(rules, 'courses')).toEqual(['/courses', '/']);
  expect(rulesFor(rules, 'courses.html')).toEqual(['/courses', '/']);
  expect(rulesFor(rules, 'courses', 'rowing')).toEqual([null, '/']);
  expect(rulesFor([page('/')], 'about')).toEqual([null, null]);
});

test('a rule for the page of a folder applies to its index page', () => {
  const rules = [page('/'), page('/blog'), page('/news-*')];
  for (const name of ['index.html', 'index', 'index.php', 'index.html.gz']) {
    expect(rulesFor(rules, name)).toEqual(['/', null]);
    expect(rulesFor(rules, 'blog', name)).toEqual(['/blog', null]);
    expect(rulesFor(rules, 'news-1', name)).toEqual(['/news-*', null]);
    expect(rulesFor(rules, 'other', name)).toEqual([null, null]);
  }
  const unusual = [
    'default.aspx',
    'Default.htm',
    'index.en.html',
    'index.html.en',
    'index.pt-br.php',
    'INDEX.HTM',
  ];
  for (const name of [
    ...unusual,
    'index.txt',
    'index.cgi',
    'index.php5',
    'index.xml',
    'iisstart.htm',
    'ındex',
  ]) {
    expect(rulesFor(rules, name)).toBeUndefined();
    expect(rulesFor(rules, 'news-1', name)).toBeUndefined();
    expect(rulesFor([...rules, open('/feed')], 'feed', name)).toEqual([null, '/feed']);
  }
  expect(rulesFor(rules, 'index.html', 'a')).toBeUndefined();
  expect(rulesFor([...rules, open('/index.xml')], 'index.xml')).toEqual([null, '/index.xml']);
});

test('a rule for a page changes nothing below it, whatever other rules there are', () => {
  const others = [open('/'), open('/blog/premium-*'), open('/blog/open.html')];
  const rules = [...others, page('/blog/premium-x'), page('/blog/premium-x-*'), page('/blog/open.php')];
  expect(rulesFor(rules, 'blog', 'premium-x')).toEqual(['/blog/premium-x', '/blog/premium-*']);
  expect(rulesFor(rules, 'blog', 'premium-x.html')).toEqual(['/blog/premium-x', '/blog/premium-*']);
  expect(rulesFor(rules, 'blog', 'premium-x', 'full.pdf')).toEqual([null, '/blog/premium-*']);
  expect(rulesFor(rules, 'blog', 'premium-x-1')).toEqual(['/blog/premium-x-*', '/blog/premium-*']);
  expect(rulesFor(rules, 'blog', 'premium-x-1', 'full.pdf')).toEqual([null, '/blog/premium-*']);
  expect(rulesFor(rules, 'blog', 'open.php')).toEqual(['/blog/open.php', '/blog/open.html']);
  expect(rulesFor([open('/blog/premium-y'), page('/blog/premium-*')], 'blog', 'premium-y')).toEqual([
    null,
    '/blog/premium-y',
  ]);
});

test('without the rules for pages, the same rules for folders apply', () => {
  fc.assert(
    fc.property(ruleTrees, fc.array(names, { maxLength: 5 }), (rules, path) => {
      const found = findRules(compileAccessTree(rules), path);
      const folders = rules.filter(({ appliesTo }) => appliesTo !== 'page');
      const without = findRules(compileAccessTree(folders), path);
      if (found && without) expect(found.folder).toEqual(without.folder);
    }),
    { numRuns: 5_000 },
  );
});

test('a path behind a page that has only a rule for itself is ambiguous', () => {
  const rules = [open('/'), page('/members.html'), page('/area')];
  expect(rulesFor(rules, 'members.html', 'x')).toBeUndefined();
  expect(rulesFor(rules, 'members.htm', 'x')).toBeUndefined();
  expect(rulesFor(rules, 'area.html', 'x')).toBeUndefined();
  expect(rulesFor(rules, 'area', 'x')).toEqual([null, '/']);
  expect(ruleFor(['/', '/a', '/a.html/b'], 'a.html', 'c')).toBeUndefined();
});

test('a rule with * applies to all names that begin as it does, and to everything below them', () => {
  const paths = [
    '/blog',
    '/blog/premium-*',
    '/blog/premium-gold-*',
    '/blog/premium-free',
    '/blog/premium-x/y',
  ];
  expect(ruleFor(paths, 'blog', 'news')).toBe('/blog');
  expect(ruleFor(paths, 'blog', 'premium')).toBe('/blog');
  expect(ruleFor(paths, 'blog', 'premium-1')).toBe('/blog/premium-*');
  expect(ruleFor(paths, 'blog', 'premium-1.html')).toBe('/blog/premium-*');
  expect(ruleFor(paths, 'blog', 'premium-1', 'images', 'a.png')).toBe('/blog/premium-*');
  expect(ruleFor(paths, 'blog', 'premium-gold-1')).toBe('/blog/premium-gold-*');
  expect(ruleFor(paths, 'blog', 'premium-free')).toBe('/blog/premium-free');
  expect(ruleFor(paths, 'blog', 'premium-free.html')).toBe('/blog/premium-free');
  expect(ruleFor(paths, 'blog', 'premium-x')).toBe('/blog/premium-*');
  expect(ruleFor(paths, 'blog', 'premium-x', 'y')).toBe('/blog/premium-x/y');
  expect(ruleFor(paths, 'premium-1')).toBeNull();
});

test('a name that begins like a rule with * only in another spelling is ambiguous', () => {
  const paths = ['/blog/premium-*', '/blog/été-*', '/blog/stras*'];
  expect(ruleFor(paths, 'blog', 'Premium-1')).toBeUndefined();
  expect(ruleFor(paths, 'blog', 'PREMIUM-1', 'a')).toBeUndefined();
  expect(ruleFor(paths, 'blog', 'ｐremium-1')).toBeUndefined();
  expect(ruleFor(paths, 'blog', 'e\u0301te\u0301-1')).toBeUndefined();
  expect(ruleFor(paths, 'blog', 'straße')).toBeUndefined();
  expect(ruleFor(['/a/e*'], 'a', 'e\u0301t')).toBeUndefined();
});

test('a name that a program may read like that of a rule is ambiguous', () => {
  const paths = ['/', '/my-course', '/été', '/members/minutes', '/7', '/c++', '/-', '/🚣'];
  const others = [
    'my.course',
    'my--course',
    '-my-course',
    'my course!',
    'my_course',
    "my-cour'se",
    'mý-course',
    'my–course',
    'ete',
    'été-',
    '07',
    '٧',
    '⑦',
    'c',
    '@',
    '--',
    '🍣',
    `my-course${'-'.repeat(191)}2`,
  ];
  for (const name of others) {
    expect([name, ruleFor(paths, name)]).toEqual([name, undefined]);
    expect([name, ruleFor(paths, name, 'x')]).toEqual([name, undefined]);
  }
  expect(ruleFor(paths, 'my.course.html')).toBeUndefined();
  expect(ruleFor(paths, 'members', '-minutes')).toBeUndefined();
  expect(ruleFor(paths, 'member!s', 'minutes')).toBeUndefined();
  for (const name of [
    'mycourse',
    'my-courses',
    'my-course-2',
    'cours',
    'été-2',
    '70',
    '7-days',
    'c-2',
    '❤',
    'club',
  ])
    expect([name, ruleFor(paths, name)]).toEqual([name, '/']);
});

test('a name that rules contain is what it is, whatever other names are read like it', () => {
  const paths = ['/', '/my-course', '/my.course', '/my_course/open', '/my_course/list*'];
  expect(ruleFor(paths, 'my-course', 'x')).toBe('/my-course');
  expect(ruleFor(paths, 'my.course', 'x')).toBe('/my.course');
  expect(ruleFor(paths, 'my_course', 'open', 'x')).toBe('/my_course/open');
  expect(ruleFor(paths, 'my_course', 'list-1')).toBe('/my_course/list*');
  // Without a rule of its own, it may be the page or the folder of another rule.
  expect(ruleFor(paths, 'my_course')).toBeUndefined();
  expect(ruleFor(paths, 'my_course', 'x')).toBeUndefined();
  expect(ruleFor(paths, 'my course', 'open')).toBeUndefined();
  expect(ruleFor(['/', '/my-course', '/my-course.html'], 'my-course.html')).toBe('/my-course.html');
  expect(ruleFor(['/', '/my-course-html'], 'my-course.html')).toBeUndefined();
});

test('a name whose beginning a program may read like that of a rule with * is ambiguous', () => {
  const paths = ['/', '/premium-*', '/premium-gold-*', '/e*', '/_*', '/premium.free'];
  for (const name of [
    'premium.1',
    '-premium-1',
    'prémium-1',
    'premium!-1',
    'premium-',
    'été',
    'premium--gold-1',
  ])
    expect([name, ruleFor(paths, name)]).toEqual([name, undefined]);
  expect(ruleFor(paths, 'premium.1', 'x')).toBeUndefined();
  expect(ruleFor(paths, 'premium-1')).toBe('/premium-*');
  expect(ruleFor(paths, 'premium-gold-1')).toBe('/premium-gold-*');
  expect(ruleFor(paths, 'premium.free')).toBe('/premium.free');
  expect(ruleFor(paths, 'premium.free.html')).toBe('/premium.free');
  for (const name of ['premium', 'premiums', 'next'])
    expect([name, ruleFor(paths, name)]).toEqual([name, '/']);
  expect(ruleFor(paths, '_next')).toBe('/_*');
  expect(ruleFor(['/p*', '/pré*'], 'premium')).toBeUndefined();
  expect(ruleFor(['/premium*', '/pré*'], 'premium')).toBe('/premium*');
});

test('an index page in a spelling that a program may read like it is ambiguous', () => {
  const rules = [open('/'), page('/')];
  for (const name of ['index-', 'índex.html', '-index.php', '_index'])
    expect([name, rulesFor(rules, name)]).toEqual([name, undefined]);
  expect(rulesFor([open('/')], 'index-')).toEqual([null, '/']);
});

test('the tree finds the same rules as a linear search', () => {
  fc.assert(
    fc.property(ruleTrees, fc.array(names, { maxLength: 5 }), (rules, path) => {
      expect(findRules(compileAccessTree(rules), path)).toEqual(expectedRules(rules, path));
    }),
    { numRuns: 5_000 },
  );
});

test('case folding twice changes nothing', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), (text) => {
      const folded = fold(text.toWellFormed());
      expect(fold(folded)).toBe(folded);
    }),
    { numRuns: 5_000 },
  );
});
