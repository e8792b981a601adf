import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Entry, entriesOf, file, folder, tar } from '../archive.ts';
import { cached } from '../cache.ts';
import { sha256 } from '../checksums.ts';
import { type Architecture, type LockedNode, lockedNode } from '../locked-node.ts';
import { requireProgram } from '../release-error.ts';
import { unpackedPackages } from './debian-packages.ts';
import { librariesOf } from './libraries.ts';

/** The number of the user and of the group. */
export const owner = 10001;
export const program = 'usr/lib/gatehouse';
export const data = 'var/lib/gatehouse';

export interface Layer {
  /** For those who look at the image's history. */
  readonly about: string;
  /** The hash of the archive as it is, which the configuration of the image names. */
  readonly diffId: string;
  readonly compressed: Buffer;
}

/**
 * The layers of an image, from what changes least. Those of the system and of Node have no time, so that a new release
 * without changes there has the same ones, and only the last one is downloaded.
 */
export function layersOf(architecture: Architecture, release: string, epochSeconds: number): Layer[] {
  const node = lockedNode(architecture);
  return [
    layer('Libraries of Debian', systemEntries(architecture, node), 0),
    layer(`Node.js ${node.version}`, nodeEntries(node), 0),
    layer('Gatehouse', releaseEntries(release), epochSeconds),
  ];
}

function layer(about: string, entries: readonly Entry[], epochSeconds: number): Layer {
  const archive = tar(entries, epochSeconds);
  const diffId = sha256(archive);
  const compressed = cached(`layers/${diffId}.gz`, existsSync, (draft) =>
    writeFileSync(draft, compress(archive)),
  );
  return { about, diffId, compressed: readFileSync(compressed) };
}

/** Makes 7 % less of Node than the zlib of this process, in 8 seconds: what every user downloads. */
function compress(archive: Buffer): Buffer {
  requireProgram('libdeflate-gzip', 'libdeflate-tools');
  return execFileSync('libdeflate-gzip', ['-10', '-c'], { input: archive, maxBuffer: 1e9 });
}

/** The system: only what Node needs, its licenses, and what programs that look for vulnerable packages read. */
function systemEntries(architecture: Architecture, node: LockedNode): Entry[] {
  const packages = unpackedPackages(architecture);
  const libraries = new Set(librariesOf(node.program, packages, architecture));
  const users = [
    `root:x:0:0:root:/root:${noShell}`,
    `gatehouse:x:${owner}:${owner}:Gatehouse:/${data}:${noShell}`,
  ];
  return [
    ...packages.flatMap((unpacked) => [
      ...entriesOf(unpacked, '').filter(
        ({ name }) => libraries.has(path.join(unpacked, name)) || ofEachPackage.test(name),
      ),
      statusOf(unpacked),
    ]),
    file('etc/passwd', lines(users)),
    file('etc/group', lines(['root:x:0:', `gatehouse:x:${owner}:`])),
    // Names that the container is given come before those of DNS.
    file('etc/nsswitch.conf', lines(['hosts: files dns'])),
    folder('tmp', { mode: 0o1777 }),
    folder(data, { mode: 0o750, owner }),
  ];
}

const noShell = '/usr/sbin/nologin';
const ofEachPackage = /(?:^|\/)os-release$|^usr\/share\/(?:common-licenses\/.+|doc\/[^/]+(?:\/copyright)?)$/;

const lines = (list: readonly string[]): string => list.map((line) => `${line}\n`).join('');

/** As in other images without dpkg: the description of each package in a file of its own. */
function statusOf(unpacked: string): Entry {
  const control = readFileSync(path.join(unpacked, 'DEBIAN/control'), 'utf8');
  return file(`var/lib/dpkg/status.d/${/^Package: (.+)$/m.exec(control)![1]}`, control);
}

function nodeEntries({ program: node, license }: LockedNode): Entry[] {
  return [
    file(`${program}/bin/node`, readFileSync(node), { mode: 0o755 }),
    file('usr/share/doc/nodejs/copyright', readFileSync(license)),
  ];
}

/** Without what only people read, and what only installs or starts a tarball. */
function releaseEntries(release: string): Entry[] {
  const command = path.resolve(import.meta.dirname, '../../../packaging/image/gatehouse');
  return [
    ...entriesOf(release, '')
      .filter(({ name }) => !notInImage.test(name))
      .map((entry) => ({ ...entry, name: `${program}/${entry.name}` })),
    file('usr/bin/gatehouse', readFileSync(command), { mode: 0o755 }),
  ];
}

const notInImage =
  /^(?:docs|examples|client|packaging|scripts\/(?!builds\.mjs$).*|gatehouse|package-lock\.json|\.npmrc|README\.md|CHANGELOG\.md|SECURITY\.md)(?:\/|$)/;
