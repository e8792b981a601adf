// The packages of Debian that the image contains files of, by version and hash. `npm run release:packages` renews the list.

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { cached } from '../cache.ts';
import { sha256 } from '../checksums.ts';
import type { Architecture } from '../locked-node.ts';
import { ReleaseError, requireProgram } from '../release-error.ts';

export interface LockedDebianPackage {
  readonly name: string;
  readonly version: string;
  /** Below the mirror: `debian/pool/…`, or `debian-security/pool/…`. */
  readonly path: string;
  readonly sha256: string;
}

export type DebianPackages = Readonly<Record<Architecture, readonly LockedDebianPackage[]>>;

export const lockFile = path.resolve(import.meta.dirname, '../../../packaging/debian-packages.lock.json');

/** The folders of the archives of Debian on a mirror. */
export const archives = ['debian', 'debian-security'] as const;
export type Archive = (typeof archives)[number];

/**
 * The URL of an archive of Debian, without a slash at the end: below `DEBIAN_MIRROR`, or else where this machine gets its own
 * packages.
 * @throws {ReleaseError}
 */
export function archiveUrl(archive: Archive): string {
  const { DEBIAN_MIRROR: mirror } = process.env;
  if (mirror) return `${mirror.replace(/\/$/, '')}/${archive}`;
  const { stdout } = spawnSync('apt-get', ['indextargets', '--format', '$(REPO_URI)'], { encoding: 'utf8' });
  const url = (stdout ?? '').split('\n').find((each) => each.endsWith(`/${archive}/`));
  if (url) return url.slice(0, -1);
  throw new ReleaseError(
    `This machine gets no packages from an archive ${archive}. Set DEBIAN_MIRROR to a mirror of Debian with its scheme.`,
  );
}

/** The folder of each locked package, with its files and, in `DEBIAN`, what Debian knows about it. */
export function unpackedPackages(architecture: Architecture): string[] {
  requireProgram('dpkg-deb', 'dpkg');
  requireProgram('curl', 'curl');
  const packages = (JSON.parse(readFileSync(lockFile, 'utf8')) as DebianPackages)[architecture];
  return packages.map(unpacked);
}

function unpacked(wanted: LockedDebianPackage): string {
  const name = `debian/${path.basename(wanted.path, '.deb')}-${wanted.sha256}`;
  const packed = cached(`${name}.deb`, existsSync, (draft) => download(wanted, draft));
  return cached(name, existsSync, (draft) => execFileSync('dpkg-deb', ['--raw-extract', packed, draft]));
}

/** @throws {ReleaseError} if the mirror cannot be reached, or does not have these bytes */
function download({ path: place, sha256: expected }: LockedDebianPackage, file: string): void {
  const [archive] = place.split('/') as [Archive];
  const url = archiveUrl(archive) + place.slice(archive.length);
  const options = ['--silent', '--show-error', '--location', '--retry', '3', '--write-out', '%{http_code}'];
  const { stdout: status, stderr } = spawnSync('curl', [...options, '--output', file, url], {
    encoding: 'utf8',
  });
  if (status === '404') {
    throw new ReleaseError(
      `${url} is missing: the mirror has a newer package instead. Lock that with npm run release:packages, and commit packaging/debian-packages.lock.json.`,
    );
  }
  if (status !== '200') {
    const reason = stderr.trim() || `HTTP status ${status}`;
    throw new ReleaseError(
      `${url} could not be downloaded: ${reason}. Check the connection, or set DEBIAN_MIRROR to a mirror that you can reach.`,
    );
  }
  if (sha256(readFileSync(file)) !== expected) {
    throw new ReleaseError(
      `${url} has other bytes than packaging/debian-packages.lock.json says. Set DEBIAN_MIRROR to another mirror.`,
    );
  }
}
