import type { AccessRule } from '@gatehouse/contract';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { expectedRules, names, ruleTrees } from '../../../../test/gate/reference.ts';
import { findRules } from './access-tree.ts';
import { compileAccessTrees, treeAt } from './access-trees.ts';

const [forum, shop, club] = ['forum.example.org', 'shop.example.org', 'club.example.org'];

const open = (path: string, ...hosts: string[]): AccessRule => ({
  path,
  access: 'public',
  ...(hosts.length > 0 && { hosts }),
});

test('at a host with rules of its own, every path follows the rules that apply there', () => {
  fc.assert(
    fc.property(ruleTrees, ruleTrees, fc.array(names, { maxLength: 4 }), (general, own, path) => {
      const named = own.map((rule) => ({ ...rule, hosts: [forum] }));
      const isReplaced = (rule: AccessRule) =>
        own.some(
          ({ path, appliesTo }) =>
            path === rule.path && (appliesTo !== 'page' || rule.appliesTo === appliesTo),
        );
      const trees = compileAccessTrees([...general, ...named]);
      const atForum = [...general.filter((rule) => !isReplaced(rule)), ...named];
      expect(findRules(treeAt(trees, forum), path)).toEqual(expectedRules(atForum, path));
      // What is compiled for the forum changes nothing elsewhere.
      expect(findRules(treeAt(trees, club), path)).toEqual(expectedRules(general, path));
    }),
    { numRuns: 2_000 },
  );
});

test('the tree of a host is compiled when it is first needed', () => {
  const trees = compileAccessTrees([open('/a', forum), open('/b', shop)]);
  const compiled = () => [...trees.hosts.values()].map(({ key }) => trees.hostTrees.get(key) !== undefined);
  expect(compiled()).toEqual([false, false]);
  treeAt(trees, shop);
  treeAt(trees, club);
  expect(compiled()).toEqual([false, true]);
  expect(treeAt(trees, shop)).toBe(treeAt(trees, shop));
});

test('hosts with the same rules share a tree, and hosts without rules the general one', () => {
  const trees = compileAccessTrees([open('/'), open('/a', forum, shop), open('/b', forum, shop)]);
  expect(treeAt(trees, forum)).toBe(treeAt(trees, shop));
  expect(treeAt(trees, club)).toBe(trees.general);
  expect(treeAt(trees, null)).toBe(trees.general);
});

test('a host shares the folders in which it has no rule of its own', () => {
  const trees = compileAccessTrees([open('/a/b/c'), open('/a/d/e'), open('/x/y'), open('/a/b/z', forum)]);
  const [general, own] = [trees.general.root, treeAt(trees, forum).root];
  const at = (root: typeof general, ...path: string[]) =>
    path.reduce((node, name) => node.children.get(name)!, root);
  expect(at(own, 'x')).toBe(at(general, 'x'));
  expect(at(own, 'a', 'd')).toBe(at(general, 'a', 'd'));
  expect(at(own, 'a', 'b', 'c')).toBe(at(general, 'a', 'b', 'c'));
  expect(at(own, 'a', 'b')).not.toBe(at(general, 'a', 'b'));
});

test('the trees of hosts that a site has in memory are limited, also with rules from before the limit of names', () => {
  const hosts = Array.from({ length: 20 }, (_, index) => `h${index}.example.org`);
  const below = Array.from({ length: 30 }, (_, index) => `/${index}`).join('');
  const rules = Array.from({ length: 500 }, (_, index) =>
    open(`/${index}${below}`, ...hosts.filter((_, host) => host !== index % 20)),
  );
  const trees = compileAccessTrees(rules);
  const seen = hosts.map((host) => treeAt(trees, host));
  const cachedTrees = [...trees.hosts.values()].filter(({ key }) => trees.hostTrees.get(key)).length;
  expect(cachedTrees).toBeGreaterThan(0);
  expect(cachedTrees).toBeLessThan(5);
  expect(trees.cost).toBeLessThan(60_000);
  const decided = findRules(seen[7]!, ['8', ...below.slice(1).split('/')]);
  expect(findRules(treeAt(trees, hosts[7]!), ['8', ...below.slice(1).split('/')])).toEqual(decided);
  expect(decided!.folder).toBe(rules[8]);
});
