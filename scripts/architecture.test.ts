import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { circularImports, importsOf, sourceFiles } from './imports.ts';

const packages = ['contract', 'client', 'member-lists', 'dashboard', 'server'];

/**
 * What each part of the repository imports of others: a package by its name, or the files of another part by their path.
 * The list is complete. What is published or runs in the service, `src`, uses other packages only by their names, which
 * is by their exports.
 */
const dependencies: Record<string, readonly string[]> = {
  'contract/src': [],
  'client/src': ['@gatehouse/contract'],
  'member-lists/src': ['@gatehouse/client', '@gatehouse/contract'],
  'dashboard/src': ['@gatehouse/client', '@gatehouse/contract', '@gatehouse/member-lists'],
  'server/scripts': ['server/src'],
  'server/src': ['@gatehouse/client', '@gatehouse/contract', '@gatehouse/member-lists', 'package.json'],
  examples: ['@gatehouse/client'],
  'docs-site': ['scripts', 'server/src', 'server/test'],
  bench: ['@gatehouse/contract', 'server/src', 'server/test'],
  chaos: ['server/src', 'server/test'],
  scripts: ['@gatehouse/contract', 'package.json', 'server/src', 'server/test'],
  'contract/scripts': ['contract/src'],
  'contract/test': ['contract/src'],
  'client/scripts': ['@gatehouse/contract', 'package.json', 'server/src'],
  'client/test': ['client/src', 'server/src', 'server/test'],
  'member-lists/test': ['member-lists/src'],
  'server/test': ['@gatehouse/contract', 'contract/test', 'scripts', 'server/src'],
};

/** A reader surveys no more at a glance. */
const maxSources = 16;

const root = path.resolve(import.meta.dirname, '..');
const files = sourceFiles(root).filter((file) => path.dirname(file) !== '.');
const imports = importsOf(root, files);

test('there are no circular imports, types included', () => {
  expect(circularImports(imports.filter(({ target }) => files.includes(target)))).toEqual([]);
});

test('a circle is found once, from whichever of its files', () => {
  const edges = ['c a', 'a b', 'b c', 'd a', 'e e'].map((edge) => edge.split(' '));
  const circles = circularImports(
    edges.map(([file, target]) => ({ file: file!, target: target!, isPath: true, isType: false })),
  );
  expect(circles).toEqual(['a → b → c → a', 'e → e']);
});

test('every file that is imported by its path exists', () => {
  // The test of generated clients writes these files.
  const generated = 'client/test/generated-clients/flows/';
  const missing = imports.filter(
    ({ target, isPath }) => isPath && !target.startsWith(generated) && !existsSync(path.join(root, target)),
  );
  expect(missing).toEqual([]);
});

test('the packages depend on each other exactly as listed', () => {
  const found: Record<string, string[]> = {};
  for (const part of Object.keys(dependencies)) found[part] = [];
  for (const { file, target, isPath } of imports) {
    const [part, other] = [partOf(file), isPath ? partOf(target) : packageOf(target)];
    const isOwn = other === part || part.startsWith(`${other}/`);
    if (other === undefined || isOwn) continue;
    found[part] = [...new Set([...(found[part] ?? []), other])].sort();
  }
  expect(found).toEqual(dependencies);
});

test(`no folder has more than ${maxSources} source files`, () => {
  const sources = files.filter((file) => !/^[\w-]+\/test\//.test(file));
  const folders = Map.groupBy(sources, (file) => path.dirname(file));
  const full = [...folders].filter(([, inside]) => inside.length > maxSources);
  expect(full.map(([folder, inside]) => `${folder}: ${inside.length}`)).toEqual([]);
});

/** `server/src`, `bench`, …; of the files on top of a package, its name. */
function partOf(file: string): string {
  const [first = '', second = '', ...rest] = file.split('/');
  return packages.includes(first) && rest.length > 0 ? `${first}/${second}` : first;
}

/** The package of this repository that a name belongs to. */
function packageOf(name: string): string | undefined {
  return /^@gatehouse\/[\w-]+/.exec(name)?.[0];
}
