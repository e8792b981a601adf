import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');
const document = readFileSync(path.join(root, 'docs/libraries.md'), 'utf8');
const [used] = document.split('\n## ');
const rows = [...used!.matchAll(/^\| (`.*?) \| (.*?) \| (.*) \|$/gm)];

test('each package of a package.json has one row with its purpose and the reason, and no other has one', () => {
  const listed = rows.flatMap(([, names]) => [...names!.matchAll(/`(.*?)`/g)].map(([, name]) => name!));
  expect(listed.toSorted()).toEqual([...packages()].sort());
  for (const [, , purpose, reason] of rows) expect([purpose, reason]).not.toContain('');
});

/** The packages of the workspaces, without their own ones, and without those that only have types. */
function packages(): Set<string> {
  const files = globSync('{package.json,*/package.json}', { cwd: root, exclude: ['**/node_modules'] });
  const names = files.flatMap((file) => {
    const manifest = JSON.parse(readFileSync(path.join(root, file), 'utf8'));
    const kinds = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'];
    return kinds.flatMap((kind) => Object.keys(manifest[kind] ?? {}));
  });
  return new Set(names.filter((name) => !name.startsWith('@gatehouse/') && !name.startsWith('@types/')));
}
