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

function lockedIn(file: string): [place: string, locked: LockedPackage][] {
  const text = readFileSync(path.resolve(import.meta.dirname, '..', file), 'utf8');
  const { packages } = JSON.parse(text) as { packages: Record<string, LockedPackage> };
  return Object.entries(packages).filter(([place, { link }]) => place.includes('node_modules/') && !link);
}

test('each package has its address in the one public registry, and its hash', () => {
  const installed = lockedIn('package-lock.json');
  expect(installed.length).toBeGreaterThan(500);
  const origins = new Set<string>();
  for (const [place, { name = place.split('node_modules/').at(-1)!, version, ...locked }] of installed) {
    const { origin, href } = new URL(locked.resolved ?? 'missing:');
    origins.add(origin);
    expect(href, place).toBe(`${origin}/${name}/-/${path.posix.basename(name)}-${version}.tgz`);
    expect(locked.integrity, place).toMatch(/^sha512-/);
  }
  expect(origins.size).toBe(1);
  // npm replaces this host, and no other, with that of a registry that a user has set (`replace-registry-host`).
  expect([...origins][0]).toMatch(/^https:\/\/[a-z]+\.npmjs\.org$/);
});

test('each package of the documentation has its hash, and comes from the registry that is set', () => {
  const installed = lockedIn('docs-site/package-lock.json');
  expect(installed.length).toBeGreaterThan(100);
  for (const [place, { resolved, integrity }] of installed) {
    expect(resolved, place).toBeUndefined();
    expect(integrity, place).toMatch(/^sha512-/);
  }
});
