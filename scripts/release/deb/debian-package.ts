// Builds the packages of Debian: the release with its own Node, a service of systemd, and a command that runs like it.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Entry, entriesOf, file, folder, gzip, tar } from '../archive.ts';
import { type Architecture, architectures, lockedNode } from '../locked-node.ts';
import { requireProgram } from '../release-error.ts';
import { version } from '../release-folder.ts';
import { changelog, control, copyright, debianVersion } from './descriptions.ts';
import { type Completions, completions, manualPage } from './manual.ts';

/** Where the package puts the release, and how it runs: see `server/src/base/installed-package.ts`. */
const program = 'usr/lib/gatehouse';
const documents = 'usr/share/doc/gatehouse';
const installedPackage = {
  command: '/usr/bin/gatehouse',
  user: 'gatehouse',
  folder: '/var/lib/gatehouse',
  settingsFile: '/etc/gatehouse/gatehouse.env',
};
const settingsFile = installedPackage.settingsFile.slice(1);

const packaging = path.resolve(import.meta.dirname, '../../../packaging');
const read = (name: string) => readFileSync(path.join(packaging, name));

export interface DebianSource {
  /** The assembled release. */
  readonly folder: string;
  readonly epochSeconds: number;
  /** The folder of the packages. */
  readonly out: string;
}

/**
 * Builds a package for each architecture. Returns the names of their files.
 * @throws {MissingProgram}
 */
export async function makeDebianPackages(source: DebianSource): Promise<string[]> {
  requireProgram('dpkg-deb', 'dpkg');
  const shared = [
    ...programEntries(source.folder),
    ...documentEntries(source),
    ...systemEntries(),
    ...commandEntries(await manualPage(source.epochSeconds), completions(installedPackage.command)),
  ];
  return architectures.map((architecture) => makePackage(architecture, shared, source));
}

/** What only a clone or the tarball needs: they install Node with npm. */
const leftOut = /^(packaging(\/.*)?|gatehouse|\.npmrc|package-lock\.json|scripts\/(?!builds\.mjs$).*)$/;
/** What people read goes where Debian has it. */
const isDocument = /^(LICENSE|[\w-]+\.md|docs|client|gatehouse-.*\.cdx\.json|examples\/(?!site).*)(\/|$)/;

function programEntries(release: string): Entry[] {
  const found = entriesOf(release, program).filter(({ name }) => {
    const inside = name.slice(program.length + 1);
    return !leftOut.test(inside) && !isDocument.test(inside);
  });
  const note = `${JSON.stringify(installedPackage, null, 2)}\n`;
  return [...found, file(`${program}/installed-package.json`, note)];
}

function documentEntries({ folder: release, epochSeconds }: DebianSource): Entry[] {
  const found = entriesOf(release, documents).filter(({ name }) => {
    const inside = name.slice(documents.length + 1);
    // The license is in the file of copyrights.
    const isLeftOut = inside === 'LICENSE' || inside.endsWith('/.gitignore');
    return inside === '' || (isDocument.test(inside) && !isLeftOut);
  });
  return [
    ...found,
    file(`${documents}/copyright`, copyright(release)),
    file(`${documents}/changelog.gz`, gzip(Buffer.from(changelog(epochSeconds)))),
  ];
}

function systemEntries(): Entry[] {
  return [
    file('lib/systemd/system/gatehouse.service', read('systemd/gatehouse.service')),
    file('usr/lib/sysusers.d/gatehouse.conf', read('debian/sysusers.conf')),
    file(settingsFile, read('debian/gatehouse.env'), { mode: 0o640 }),
    file('usr/share/lintian/overrides/gatehouse', read('debian/lintian-overrides')),
  ];
}

function commandEntries(manual: string, { bash, zsh, fish }: Completions): Entry[] {
  return [
    file('usr/bin/gatehouse', read('debian/gatehouse'), { mode: 0o755 }),
    file('usr/share/man/man1/gatehouse.1.gz', gzip(Buffer.from(manual))),
    file('usr/share/bash-completion/completions/gatehouse', bash),
    file('usr/share/zsh/vendor-completions/_gatehouse', zsh),
    file('usr/share/fish/vendor_completions.d/gatehouse.fish', fish),
  ];
}

function makePackage(architecture: Architecture, shared: readonly Entry[], source: DebianSource): string {
  const name = `gatehouse_${debianVersion(version)}_${architecture}.deb`;
  const node = lockedNode(architecture);
  const contents = [
    ...shared,
    file(`${program}/bin/node`, readFileSync(node.program), { mode: 0o755 }),
    file(`${documents}/licenses/node`, readFileSync(node.license)),
  ];
  const stage = mkdtempSync(path.join(tmpdir(), 'gatehouse-deb-'));
  try {
    const all = [...contents, ...controlEntries(architecture, contents)];
    execFileSync('tar', ['-xpf', '-', '-C', stage], { input: tar(all, source.epochSeconds) });
    // The root of the package is a folder like the others.
    execFileSync('chmod', ['0755', stage]);
    const draft = path.join(source.out, `${name}.draft`);
    execFileSync('dpkg-deb', ['--root-owner-group', ...compression, '--build', stage, draft], {
      env: { ...process.env, SOURCE_DATE_EPOCH: String(source.epochSeconds) },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    renameSync(draft, path.join(source.out, name));
  } finally {
    rmSync(stage, { recursive: true });
  }
  return name;
}

/** Every dpkg reads it. xz saves a fifth of the size, and takes ten times as long. */
const compression = ['-Zgzip', '-z6'];

function controlEntries(architecture: Architecture, contents: readonly Entry[]): Entry[] {
  const files = contents.filter(({ type }) => type === 'file');
  const bytes = files.reduce((sum, { content }) => sum + content.length, 0);
  const sums = files
    .filter(({ name }) => name !== settingsFile)
    .map(({ name, content }) => `${createHash('md5').update(content).digest('hex')}  ${name}\n`)
    .sort();
  return [
    folder('DEBIAN'),
    file('DEBIAN/control', control({ architecture, kibibytes: Math.ceil(bytes / 1024) })),
    file('DEBIAN/conffiles', `/${settingsFile}\n`),
    file('DEBIAN/md5sums', sums.join('')),
    file('DEBIAN/templates', read('debian/templates')),
    ...['config', 'postinst', 'prerm', 'postrm'].map((name) =>
      file(`DEBIAN/${name}`, read(`debian/${name}`), { mode: 0o755 }),
    ),
  ];
}
