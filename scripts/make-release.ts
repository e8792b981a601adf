// Builds dist/gatehouse-<version>.tgz: Gatehouse with its built pages, without files that only developers need. After
// unpacking, `npm ci --omit=dev` installs the packages, and `./gatehouse serve` starts it.

import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import rootManifest from '../package.json' with { type: 'json' };

const root = path.resolve(import.meta.dirname, '..');
const name = `gatehouse-${rootManifest.version}`;
const dist = path.join(root, 'dist');
const release = path.join(dist, name);
const archive = path.join(dist, `${name}.tgz`);

/** Each has its own package.json, and the files it needs at run time. */
const workspaces = {
  contract: ['src', 'openapi.json'],
  server: ['bin', 'src'],
  client: ['src'],
  'member-lists': ['src'],
};
const files = [
  ...['gatehouse', '.npmrc', 'LICENSE', 'README.md', 'CHANGELOG.md', 'SECURITY.md'],
  ...['client/README.md', 'docs/command-line.md', 'docs/guides', 'docs/images', 'examples'],
  ...[
    'scripts/start.mjs',
    'scripts/set-up.mjs',
    'scripts/node-path.mjs',
    'scripts/pages.mjs',
    'scripts/progress.mjs',
  ],
  'dashboard/dist',
];

rmSync(release, { recursive: true, force: true });
for (const file of files) copy(file);
for (const [workspace, folders] of Object.entries(workspaces)) {
  for (const folder of folders) copy(path.join(workspace, folder));
  writeManifest(workspace, withoutDevelopment(readManifest(workspace)));
}
writeManifest('', releaseManifest());
copyReference();
lockPackages();
pack();
console.log(
  `Created ${path.relative(process.cwd(), archive)}. Unpack it, run npm ci --omit=dev, and start ./gatehouse serve.`,
);

function copy(file: string): void {
  cpSync(path.join(root, file), path.join(release, file), {
    recursive: true,
    filter: (source) => !/\.test\.tsx?$|[\\/]node_modules$/.test(source),
  });
}

type Manifest = Record<string, unknown>;

function readManifest(workspace: string): Manifest {
  return JSON.parse(readFileSync(path.join(root, workspace, 'package.json'), 'utf8'));
}

function writeManifest(workspace: string, manifest: Manifest): void {
  writeFileSync(path.join(release, workspace, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

/**
 * Also removes the required Node version: npm runs on the machine's own Node, which is not the one that Gatehouse
 * runs on.
 */
function withoutDevelopment({ devDependencies, scripts, engines, ...manifest }: Manifest): Manifest {
  return manifest;
}

/** The locked Node is a dependency, as in a clone. */
function releaseManifest(): Manifest {
  const { private: isPrivate, version, license, type, engines, scripts, optionalDependencies } = rootManifest;
  return {
    name: 'gatehouse-release',
    private: isPrivate,
    version,
    license,
    type,
    workspaces: Object.keys(workspaces),
    engines,
    scripts: { start: scripts.start },
    optionalDependencies,
  };
}

/** Copies only the script of the API reference: a service needs nothing else of the package. */
function copyReference(): void {
  const source = path.join(root, 'node_modules/@scalar/fastify-api-reference');
  const target = path.join(release, 'server/assets');
  mkdirSync(target);
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
    '--omit-lockfile-registry-resolved',
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

function packagesOf(folder: string): Record<string, { version?: string; integrity?: string; dev?: boolean }> {
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
