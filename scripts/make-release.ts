// Builds dist/gatehouse-<version>.tgz, and its bill of materials beside it: Gatehouse as it is built, without its sources and without packages. After
// unpacking, `npm ci --omit=dev` installs Node, and `./gatehouse serve` starts it.

import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import rootManifest from '../package.json' with { type: 'json' };
import { billOfMaterials, type LockedPackage } from './bill-of-materials.ts';

const root = path.resolve(import.meta.dirname, '..');
const name = `gatehouse-${rootManifest.version}`;
const dist = path.join(root, 'dist');
const release = path.join(dist, name);
const archive = path.join(dist, `${name}.tgz`);
const bill = `${name}.cdx.json`;
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
  'docs/features.md',
  'docs/settings.md',
  'docs/guides',
  'docs/operations',
  'docs/images',
  'docs/security',
  'examples',
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
];

rmSync(release, { recursive: true, force: true });
for (const file of files) copy(file);
writeManifest();
copyReference();
lockPackages();
listPackages();
pack();
console.log(
  `Created ${path.relative(process.cwd(), archive)}. Unpack it, run npm ci --omit=dev, and start ./gatehouse serve.`,
);

function copy(file: string): void {
  cpSync(path.join(root, file), path.join(release, file), {
    recursive: true,
    filter: (source) => !/\.test\.tsx?$|[\\/]node_modules$|[\\/]server[\\/]src[\\/].*\.ts$/.test(source),
  });
}

/** The locked Node is the only dependency: everything else is built in. */
function writeManifest(): void {
  const { private: isPrivate, version, license, type, engines, scripts, optionalDependencies } = rootManifest;
  const manifest = {
    name: 'gatehouse-release',
    private: isPrivate,
    version,
    license,
    type,
    engines,
    optionalDependencies,
    scripts: { start: scripts.start },
  };
  writeFileSync(path.join(release, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

/** Copies only the script of the API reference: a service needs nothing else of the package. */
function copyReference(): void {
  const source = path.join(root, 'node_modules', reference);
  const target = path.join(release, 'server/assets');
  mkdirSync(target, { recursive: true });
  copyFileSync(path.join(source, 'dist/js/standalone.js'), path.join(target, 'api-reference.js'));
  const manifest = JSON.parse(readFileSync(path.join(source, 'package.json'), 'utf8'));
  const about = `${manifest.name} ${manifest.version}\n${manifest.homepage}\nLicence: ${manifest.license}\n`;
  writeFileSync(path.join(target, 'api-reference.txt'), about);
}

/**
 * Writes the lock file of the clone without the packages that the release does not need: no version changes, and no
 * request to a registry.
 */
function lockPackages(): void {
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
  checkLock();
}

function checkLock(): void {
  const before = packagesOf(root);
  for (const [place, { version, integrity, dev }] of Object.entries(packagesOf(release))) {
    if (!place.startsWith('node_modules/')) continue;
    if (dev) throw new Error(`${place} is locked as a development dependency.`);
    if (before[place]?.version !== version || before[place]?.integrity !== integrity) {
      throw new Error(`${place} is locked as ${version}, and as ${before[place]?.version} in the clone.`);
    }
  }
}

/** Writes the bill of materials into the release, and beside it for programs that read only that. */
function listPackages(): void {
  const licenses = ['server', 'dashboard'].map((part) =>
    readFileSync(path.join(release, part, 'dist/licenses.md'), 'utf8'),
  );
  const installed = Object.keys(packagesOf(release)).flatMap(
    (place) => place.split('node_modules/')[1] ?? [],
  );
  const contents = { version: rootManifest.version, locked: packagesOf(root), licenses };
  const listed = billOfMaterials({ ...contents, further: [reference, ...installed] });
  for (const folder of [release, dist])
    writeFileSync(path.join(folder, bill), `${JSON.stringify(listed, null, 2)}\n`);
}

function packagesOf(folder: string): Record<string, LockedPackage & { readonly dev?: boolean }> {
  return JSON.parse(readFileSync(path.join(folder, 'package-lock.json'), 'utf8')).packages;
}

/**
 * Writes to a draft first, so that the archive is never incomplete. On macOS, without the extended attributes of its
 * files.
 */
function pack(): void {
  const draft = `${archive}.draft`;
  execFileSync('tar', ['-czf', draft, '-C', dist, name], { env: { ...process.env, COPYFILE_DISABLE: '1' } });
  renameSync(draft, archive);
  rmSync(release, { recursive: true });
}
