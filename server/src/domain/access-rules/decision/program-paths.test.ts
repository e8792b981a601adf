import type { AccessRule } from '@gatehouse/contract';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { effort } from '../../../../test/effort.ts';
import { allPathTricks } from '../../../../test/gate/path-tricks.ts';
import { hostsReadIn, programReaders, programTargets } from '../../../../test/gate/program-readers.ts';
import { readings, ruleTrees, targets } from '../../../../test/gate/reference.ts';
import { checkAccessRules } from '../access-rule-checks.ts';
import { decide, decideByRules } from './access-decision.ts';
import { compileAccessTree, findRules } from './access-tree.ts';
import { compileAccessTrees, treeAt } from './access-trees.ts';
import { readRequestPath } from './request-path.ts';

const rowers = '01980a34-19e7-7a90-8c6b-d3f1a5b2c4e6';
const request = (target: string) => ({
  target,
  method: () => 'GET',
  isPreflight: () => false,
  time: 0,
  ipAddress: () => undefined,
});
const program = (path: string, access: 'public' | 'members' = 'public'): AccessRule => ({
  path,
  access,
  programPaths: true,
});
const get = (rules: readonly AccessRule[], target: string) =>
  decide(compileAccessTree(rules), request(target), null, 'active');

const club: AccessRule[] = checkAccessRules([
  { path: '/', access: 'members' },
  program('/app'),
  program('/pluginfile.php'),
  program('/cours/été'),
]);

test.each([
  '/pluginfile.php/12/mod_resource/content/1/a.pdf',
  '/pluginfile.php/',
  '/pluginfile.php/12/%E8%B3%87%E6%96%99.%E6%9C%80%E7%B5%82.pdf?forcedownload=1',
  '/app/index.php/apps/files',
  '/app/remote.php/dav/files/mira/a%23b%3F.txt',
  '/app/queues/%2F/jobs',
  '/app/api/v4/projects/group%2Fproject/compare/main...new%2Fidea',
  '/app/wiki/C%23',
  '/app/wiki/100%25',
  '/app/wiki/What%253F',
  '/app/wiki/Who%3F',
  '/app/wiki/%E3%81%AA%E3%81%9C%EF%BC%9F',
  '/app/web/https://example.org/a;b=c',
  '/app//x',
  '/app/./x',
  '/app/;',
  '/app/%5Cx',
  '/app/a.',
  '/app/a%20',
  '/app/PROGRA~1/plan.txt::$DATA',
  '/app/a%00b',
  '/app/%e2%80%8bx',
  '/app/.hidden;x/..y',
  '/app/%E6%97%A5%3A/%E8%B3%87%E6%96%99%EF%BC%92.%EF%BC%90.pdf',
  '/app/%C3%A9t%C3%A9/100%25%20%C3%A9.pdf',
  '/cours/%C3%A9t%C3%A9/a%2Fb',
])('%s is passed on by the rule above it', (target) => {
  expect(get(club, target)).toMatchObject({ reason: 'public', rule: { programPaths: true } });
});

test.each([
  ['a dot segment', '/app/../x'],
  ['a dot segment that stays below, but not behind a symbolic link', '/app/a/../b'],
  ['an encoded dot segment', '/app/%2e%2e/x'],
  ['a dot segment between encoded slashes', '/app/a%2f..%2f..%2fx'],
  ['dots encoded twice', '/app/%252e%252e%252fx'],
  ['dots encoded in several ways', '/app/.%25%32%65/x'],
  ['dots of IIS', '/app/%25u002e%25u002e/x'],
  ['dots and a parameter', '/app/..;a=b/x'],
  ['dots before what some cut off', '/app/..%00/x'],
  ['dots before what some cut off, behind a sign that is encoded twice', '/app/%255c%2e%2e%00x'],
  ['dots that some cut off after they have decoded', '/app/..%2561'],
  ['dots with a sign between', '/app/.%5c./x'],
  ['dots with an invisible character between', '/app/.%e2%80%8b./x'],
  ['full-width dots', '/app/%ef%bc%8e%ef%bc%8e/x'],
  ['a leader of two dots', '/app/%e2%80%a5/x'],
  ['three dots', '/app/.../x'],
  ['dots and a division slash', '/app/..%e2%88%95x'],
  ['dots with a full-width percent sign', '/app/%ef%bc%852e%ef%bc%852e/x'],
  ['dots with an invisible character in their escapes', '/app/%25%e2%80%8b2e%25%e2%80%8b2e/x'],
  ['dots in overlong UTF-8', '/app/%c0%ae%c0%ae/x'],
  ['dots with full-width digits in their escapes', '/app/%25%ef%bc%92e%25%ef%bc%92e/x'],
  ['dots with full-width letters in their escapes', '/app/%252%ef%bd%85%252%ef%bd%85/x'],
  ['dots with letters in their escapes of which programs drop the accents', '/app/%252%c3%a9%252%c3%a9/x'],
  ['encoded dots before a letter that programs remove', '/app/.%25%32%65%c3%a9/x'],
  ['encoded dots with and before such a letter', '/app/.%252%c3%a9%c3%a9/x'],
  ['dots of IIS with full-width characters', '/app/%25%ef%bd%95002%ef%bc%a5%25u002e/x'],
  ['overlong UTF-8, encoded twice', '/app/%25c0%25ae%25c0%25ae/x'],
  ['bytes that are no UTF-8', '/app/%ff/x'],
  ['dots as private characters', '/app/%ef%80%ae%ef%80%ae/x'],
  ['a drive', '/app/c:/x'],
  ['an encoded drive', '/app/%63%3a%5cx'],
  ['a full-width drive', '/app/%ef%bd%83%ef%bc%9a/x'],
  ['a drive with a letter that looks so', '/app/%e2%84%82%3a%5cx'],
  ['an invalid escape', '/app/%zz'],
  ['too many encodings', `/app/%${'25'.repeat(9)}41;`],
  ['a fragment', '/app/x#/../y'],
  ['the folder in another case', '/App/a;b'],
  ['the folder with a parameter', '/app;/a'],
  ['the folder with a dot', '/app./a;b'],
  ['the folder behind two slashes', '//app/a;b'],
  ['the folder behind a dot', '/./app/a;b'],
  ['a name that begins like the folder', '/app2/a;b'],
  ['the folder with an encoded slash', '/app%2fa;b'],
  ['a script outside', '/index.php/app/x'],
  ['accents that are composed otherwise', '/cours/e%CC%81t%C3%A9/a;b'],
])('%s is denied', (_, target) => {
  expect(get(club, target)).toMatchObject({ allowed: false, reason: 'ambiguous_path', rule: null });
});

test('for the whole site, a path that looks like the name of a host is denied', () => {
  for (const target of [
    '//evil.example/x',
    '/%2fevil/x',
    '/%5cevil',
    '/.//evil/x',
    '/;a/evil',
    '/%20/evil;x',
  ])
    expect([target, get([program('/')], target).allowed]).toEqual([target, false]);
  for (const target of [
    '/index.php/x',
    '/remote.php/dav',
    '/api/queues/%2F/x',
    '/%C3%A9/a%2Fb',
    '/a/;',
    '/@me/x;y',
  ])
    expect([target, get([program('/')], target).allowed]).toEqual([target, true]);
});

test('at a host, the rule of that host counts', () => {
  const reasonsAt = (hosts: readonly string[], rules: readonly AccessRule[]) => {
    const trees = compileAccessTrees(checkAccessRules(rules));
    return hosts.map((host) => decide(treeAt(trees, host), request('/app/a%2Fb'), null, 'active').reason);
  };
  const forum = 'forum.example.org';
  expect(
    reasonsAt(
      ['club.example.org', forum],
      [program('/app', 'members'), { path: '/app', access: 'members', hosts: [forum] }],
    ),
  ).toEqual(['anonymous', 'ambiguous_path']);
  expect(
    reasonsAt(
      ['moodle.example.org', forum],
      [
        { ...program('/'), hosts: ['moodle.example.org'] },
        { path: '/', access: 'members' },
        { path: '/news', access: 'members', hosts: [forum] },
      ],
    ),
  ).toEqual(['public', 'ambiguous_path']);
});

test('a file of this machine is never opened by such a path', () => {
  const tree = compileAccessTree(club);
  const reason = (target: string) =>
    decide(tree, { ...request(target), isForFile: true }, null, 'active').reason;
  expect([reason('/app/a%2Fb'), reason('/app/a')]).toEqual(['ambiguous_path', 'public']);
});

describe('an anonymous visitor is denied with', () => {
  const sites: [string, AccessRule[]][] = [
    [
      'a program for members on a public site',
      [{ path: '/', access: 'public' }, program('/members', 'members')],
    ],
    ['a public program on a site for members', [{ path: '/', access: 'members' }, program('/public')]],
    ['a site that is a program for members', [program('/', 'members')]],
    [
      'a public program beside a folder for a group',
      [
        { path: '/', access: 'public' },
        { path: '/members', access: 'groups', groupIds: [rowers] },
        program('/public'),
      ],
    ],
  ];
  test.each(sites)('%s: every trick', (_, own) => {
    const opened = allPathTricks.filter(({ target }) => get(checkAccessRules(own), target).allowed);
    expect(opened).toEqual([]);
  });
});

/** Rules of a site with one more for a program, where that is possible. */
const treesWithProgram = fc
  .tuple(ruleTrees, fc.constantFrom('/app', '/members/app', '/public', '/app/script.php', '/'))
  .map(([rules, path]) => {
    try {
      return checkAccessRules([...rules.filter((rule) => rule.path !== path), program(path)]);
    } catch {
      return checkAccessRules([{ path: '/', access: 'members' }, ...(path === '/' ? [] : [program(path)])]);
    }
  });

test('what any server reads as a path outside the program is denied', () => {
  fc.assert(
    fc.property(treesWithProgram, programTargets, (rules, target) => {
      const { allowed, rule } = get(rules, target);
      if (!allowed || !rule?.programPaths || readRequestPath(target) !== undefined) return;
      const prefix = rule.path.split('/').filter(Boolean);
      expect(hostsReadIn(target)).toEqual([]);
      for (const [server, read] of Object.entries(programReaders)) {
        for (const path of read(target))
          expect([server, path.slice(0, prefix.length)]).toEqual([server, prefix]);
      }
      for (const path of readings(target)) expect(path.slice(0, prefix.length)).toEqual(prefix);
    }),
    { numRuns: effort.programPaths },
  );
});

test('a rule for a program changes nothing but for the ambiguous paths below it', () => {
  fc.assert(
    fc.property(treesWithProgram, fc.oneof(targets, programTargets), (rules, target) => {
      const without = rules.map(({ programPaths, ...rule }) => rule as AccessRule);
      const [was, is] = [get(without, target), get(rules, target)];
      if (was.reason !== 'ambiguous_path') {
        expect({ ...is, rule: is.rule && { ...is.rule, programPaths: undefined } }).toEqual({
          ...was,
          rule: was.rule && { ...was.rule, programPaths: undefined },
        });
      } else if (is.reason !== 'ambiguous_path') {
        expect(is.rule).toMatchObject({ programPaths: true });
      }
    }),
    { numRuns: effort.programPaths / 2 },
  );
});

test('without such a rule, every path is decided as it is read', () => {
  const decideAsRead = (rules: readonly AccessRule[], target: string) => {
    const tree = compileAccessTree(rules);
    const path = readRequestPath(target);
    return decideByRules(path && findRules(tree, path), request(target), null, 'active');
  };
  fc.assert(
    fc.property(ruleTrees, programTargets, (rules, target) => {
      expect(get(rules, target)).toEqual(decideAsRead(rules, target));
    }),
    { numRuns: effort.programPaths / 2 },
  );
  const rules: AccessRule[] = [
    { path: '/', access: 'public' },
    { path: '/members', access: 'members' },
  ];
  for (const { target } of allPathTricks) expect(get(rules, target)).toEqual(decideAsRead(rules, target));
});
