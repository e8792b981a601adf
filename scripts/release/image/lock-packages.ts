// Writes packaging/debian-packages.lock.json: the current packages of Debian, also those of its security updates. apt
// checks the signatures of the lists of packages.

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Architecture, architectures } from '../locked-node.ts';
import { requireProgram } from '../release-error.ts';
import { archives, archiveUrl, type LockedDebianPackage, lockFile } from './debian-packages.ts';

/** What Node needs, the licenses of that, and the name of the system for programs that look for vulnerable packages. */
const names = ['base-files', 'gcc-12-base', 'libatomic1', 'libc6', 'libgcc-s1', 'libstdc++6'];

const signed = '[signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]';
const sources = [
  `deb ${signed} ${archiveUrl('debian')} bookworm main`,
  `deb ${signed} ${archiveUrl('debian')} bookworm-updates main`,
  `deb ${signed} ${archiveUrl('debian-security')} bookworm-security main`,
];

requireProgram('apt-get', 'apt');
const locked = architectures.map((architecture) => [architecture, currentPackages(architecture)]);
writeFileSync(lockFile, `${JSON.stringify(Object.fromEntries(locked), null, 2)}\n`);
console.log(`Wrote ${path.relative(process.cwd(), lockFile)}.`);

function currentPackages(architecture: Architecture): LockedDebianPackage[] {
  const folder = mkdtempSync(path.join(tmpdir(), 'gatehouse-apt-'));
  try {
    const options = aptOptions(folder, architecture);
    execFileSync('apt-get', [...options, '--quiet', 'update'], { stdio: ['ignore', 'inherit', 'inherit'] });
    const printed = execFileSync('apt-get', [...options, 'download', '--print-uris', ...names], {
      encoding: 'utf8',
    });
    return printed.trim().split('\n').map(parse);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** apt with the folder in place of the settings, lists and packages of this machine. */
function aptOptions(folder: string, architecture: Architecture): string[] {
  for (const name of ['state/lists/partial', 'cache/archives/partial'])
    mkdirSync(path.join(folder, name), { recursive: true });
  writeFileSync(path.join(folder, 'sources.list'), `${sources.join('\n')}\n`);
  writeFileSync(path.join(folder, 'status'), '');
  const settings = {
    'Dir::Etc::SourceList': path.join(folder, 'sources.list'),
    'Dir::Etc::SourceParts': '/dev/null',
    'Dir::State': path.join(folder, 'state'),
    'Dir::State::status': path.join(folder, 'status'),
    'Dir::Cache': path.join(folder, 'cache'),
    'APT::Architecture': architecture,
    'APT::Architectures::': architecture,
    // Also for root; the folder belongs to this user.
    'APT::Sandbox::User': '',
    'Acquire::Languages': 'none',
  };
  return Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
}

/** `'http://…/debian/pool/…/libc6_2.36-9%2bdeb12u14_arm64.deb' libc6_2.36-9+deb12u14_arm64.deb 2324660 SHA256:…` */
function parse(line: string): LockedDebianPackage {
  const [, url, name, version, sha256] =
    /^'(\S+)' ([^_\s]+)_([^_\s]+)_\S+ \d+ SHA256:(\w+)$/.exec(line) ?? [];
  const archive = archives.find((each) => url?.startsWith(`${archiveUrl(each)}/`));
  if (!url || !archive || !name || !version || !sha256) throw new Error(`apt-get has printed: ${line}`);
  const place = archive + url.slice(archiveUrl(archive).length);
  return { name, version, path: decodeURIComponent(place), sha256 };
}
