// Assembles what every form of the release contains: Gatehouse as it is built, without its sources and without packages.

import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import rootManifest from '../../package.json' with { type: 'json' };
import { billOfMaterials, type LockedPackage } from './bill-of-materials.ts';
import type { Source } from './source-date.ts';

export const { version } = rootManifest;

const root = path.resolve(import.meta.dirname, '../..');
const reference = '@scalar/fastify-api-reference';

const files = [
  'gatehouse',
  '.npmrc',
  'LICENSE',
  'README.md',
  'CHANGELOG.md',
  'SECURITY.md',
  'client/README.md',
  'docs/README.md',
  'docs/command-line.md',
  'docs/errors.md',
  'docs/features.md',
  'docs/settings.md',
  'docs/guides',
  'docs/operations',
  'docs/images',
  'docs/security',
  'examples',
  'packaging/image',
  'packaging/systemd',
  'scripts/start.mjs',
  'scripts/set-up.mjs',
  'scripts/node-path.mjs',
  'scripts/builds.mjs',
  'scripts/progress.mjs',
  'server/bin',
  'server/dist',
  'server/src/i18n',
  'server/src/storage/migrations',
  'dashboard/dist',
  'docs-site/dist/site',
];

export interface ReleaseFolder {
  readonly folder: string;
  /** The name of the bill of materials, which is in the folder. */
  readonly bill: string;
}

/** Assembles the release in a new folder. The service and the pages of the dashboard must be built. */
export function assembleRelease(folder: string, { commit, date }: Source): ReleaseFolder {
  buildDocumentation();
  rmSync(folder, { recursive: true, force: true });
  for (const file of files) copy(file, folder);
  writeJson(folder, 'release.json', { version, commit, date });
  writeJson(folder, 'package.json', releaseManifest());
  copyReference(folder);
  lockPackages(folder);
  const bill = `gatehouse-${version}.cdx.json`;
  writeJson(folder, bill, listPackages(folder));
  return { folder, bill };
}

function buildDocumentation(): void {
  execFileSync(process.execPath, [path.join(root, 'docs-site/build.ts')], { stdio: 'inherit' });
}

/** Of the builds, without the notes from which a clone detects changes of its sources. */
const leftOut =
  /\.test\.tsx?$|[\\/]node_modules$|[\\/]server[\\/]src[\\/].*\.ts$|[\\/]dist[\\/]\.source[\w-]*$/;

function copy(file: string, folder: string): void {
  cpSync(path.join(root, file), path.join(folder, file), {
    recursive: true,
    filter: (source) => !leftOut.test(source),
  });
}

function writeJson(folder: string, name: string, value: unknown): void {
  writeFileSync(path.join(folder, name), `${JSON.stringify(value, null, 2)}\n`);
}

/** The locked Node is the only dependency: everything else is built in. */
function releaseManifest(): object {
  const { private: isPrivate, license, type, engines, scripts, optionalDependencies } = rootManifest;
  return {
    name: 'gatehouse-release',
    private: isPrivate,
    version,
    license,
    type,
    engines,
    optionalDependencies,
    scripts: { start: scripts.start },
  };
}

/** Copies only the script of the API reference: a service needs nothing else of the package. */
function copyReference(release: string): void {
  const source = path.join(root, 'node_modules', reference);
  const target = path.join(release, 'server/assets');
  mkdirSync(target, { recursive: true });
  copyFileSync(path.join(source, 'dist/js/standalone.js'), path.join(target, 'api-reference.js'));
  const manifest = JSON.parse(readFileSync(path.join(source, 'package.json'), 'utf8'));
  const about = `${manifest.name} ${manifest.version}\n${manifest.homepage}\nLicense: ${manifest.license}\n`;
  writeFileSync(path.join(target, 'api-reference.txt'), about);
}

/**
 * Writes the lock file of the clone without the packages that the release does not need: no version changes, and no
 * request to a registry.
 */
function lockPackages(release: string): void {
  copyFileSync(path.join(root, 'package-lock.json'), path.join(release, 'package-lock.json'));
  const options = [
    '--package-lock-only',
    '--ignore-scripts',
    '--offline',
    '--omit-lockfile-registry-resolved=false',
  ];
  execFileSync('npm', ['install', ...options, '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: release,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  checkLock(release);
}

function checkLock(release: string): void {
  const before = packagesOf(root);
  for (const [place, { version, integrity, dev }] of Object.entries(packagesOf(release))) {
    if (!place.startsWith('node_modules/')) continue;
    if (dev) throw new Error(`${place} is locked as a development dependency.`);
    if (before[place]?.version !== version || before[place]?.integrity !== integrity) {
      throw new Error(`${place} is locked as ${version}, and as ${before[place]?.version} in the clone.`);
    }
  }
}

function listPackages(release: string): object {
  const licenses = ['server/dist', 'dashboard/dist', 'docs-site/dist/site'].map((built) =>
    readFileSync(path.join(release, built, 'licenses.md'), 'utf8'),
  );
  const installed = Object.keys(packagesOf(release)).flatMap(
    (place) => place.split('node_modules/')[1] ?? [],
  );
  const ofDocumentation = Object.entries(packagesOf(path.join(root, 'docs-site')));
  const locked = {
    ...packagesOf(root),
    ...Object.fromEntries(ofDocumentation.map(([place, locked]) => [`docs-site/${place}`, locked])),
  };
  const contents = { version, locked, licenses };
  return billOfMaterials({ ...contents, further: [reference, ...installed] });
}

function packagesOf(folder: string): Record<string, LockedPackage & { readonly dev?: boolean }> {
  return JSON.parse(readFileSync(path.join(folder, 'package-lock.json'), 'utf8')).packages;
}
