// A fresh, minimal Debian 12 in a folder, to try a package or an image as on a new machine. debootstrap makes it once, for
// all that ask for it; each gets a copy of its own.

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const release = 'bookworm';
const cache = path.resolve(import.meta.dirname, '../../node_modules/.cache/debian');

/**
 * Copies a minimal Debian into a folder that does not exist yet. The first call on a machine takes about a minute, and
 * needs a mirror of Debian.
 * @throws {Error} if this process is not root, or debootstrap is missing
 */
export function createDebianRoot(folder: string): void {
  if (process.getuid?.() !== 0) {
    throw new Error('Only root can create a Debian root folder. Run this again as root.');
  }
  if (spawnSync('debootstrap', ['--version']).error) {
    throw new Error('debootstrap is missing. Install it with: apt-get install debootstrap');
  }
  mkdirSync(cache, { recursive: true });
  const original = path.join(cache, release);
  // Several checks start at the same time. A draft that was not finished is replaced.
  const create = `[ -d "$1" ] || {
    rm -rf "$1.draft" &&
    debootstrap --variant=minbase ${release} "$1.draft" >"$1.log" 2>&1 &&
    rm -f "$1.draft"/var/cache/apt/archives/*.deb &&
    mv "$1.draft" "$1"
  } || { tail -n 20 "$1.log" >&2; exit 1; }`;
  execFileSync('flock', [`${original}.lock`, 'sh', '-c', create, 'sh', original], { stdio: 'inherit' });
  execFileSync('cp', ['-a', '--no-target-directory', original, folder]);
  // The installer of Debian writes it, and debootstrap does not.
  writeFileSync(path.join(folder, 'etc/hosts'), '127.0.0.1 localhost\n::1 localhost\n');
}

/**
 * The command that runs another one in such a folder, as root, without the environment of this process. Its processes and
 * mounts end with it.
 */
export function commandInRoot(folder: string, ...command: readonly string[]): [string, string[]] {
  const namespaces = [
    '--mount',
    '--pid',
    '--fork',
    '--kill-child',
    '--mount-proc',
    `--root=${folder}`,
    '--wd=/',
  ];
  return ['unshare', [...namespaces, '--', 'env', '-i', ...environment, ...command]];
}

const environment = [
  'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  'HOME=/root',
  'LANG=C.UTF-8',
  'DEBIAN_FRONTEND=noninteractive',
];
