import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import manifest from '../package.json' with { type: 'json' };

const root = path.resolve(import.meta.dirname, '..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

test('only the package.json of the root has a version', () => {
  const manifests = globSync('*/package.json', { cwd: root, exclude: ['node_modules'] });
  expect(manifests.length).toBeGreaterThan(3);
  expect(manifests.filter((file) => 'version' in JSON.parse(read(file)))).toEqual([]);
  expect(JSON.parse(read('package-lock.json')).version).toBe(manifest.version);
});

test('documents name the files of this version, and of the next one for an update', () => {
  const documents = globSync('{*.md,client/*.md,docs/**/*.md}', { cwd: root });
  const named = documents.flatMap((file) =>
    [...read(file).matchAll(/\bgatehouse(?:-client)?[-_](\d+\.\d+\.\d+)/g)].map((match) => match[1]!),
  );
  expect(named).toContain(manifest.version);
  const [major, minor] = manifest.version.split('.').map(Number);
  const possible = [manifest.version, `${major}.${minor! + 1}.0`];
  expect(named.filter((version) => !possible.includes(version))).toEqual([]);
});
