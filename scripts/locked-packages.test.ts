import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

interface LockedPackage {
  /** Only if the package is installed under another name. */
  readonly name?: string;
  readonly version: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly link?: boolean;
}

test('each locked package has its address in the public registry, and its hash', () => {
  const text = readFileSync(path.resolve(import.meta.dirname, '../package-lock.json'), 'utf8');
  const { packages } = JSON.parse(text) as { packages: Record<string, LockedPackage> };
  const installed = Object.entries(packages).filter(
    ([place, { link }]) => place.includes('node_modules/') && !link,
  );
  expect(installed.length).toBeGreaterThan(500);
  for (const [place, { name = place.split('node_modules/').at(-1)!, version, ...locked }] of installed) {
    const file = `${path.posix.basename(name)}-${version}.tgz`;
    expect(locked.resolved, place).toBe(`https://registry.npmjs.org/${name}/-/${file}`);
    expect(locked.integrity, place).toMatch(/^sha512-/);
  }
});
