import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, mkdirSync, realpathSync } from 'node:fs';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { installedPackage } from '../../base/installed-package.ts';
import { type OpenedFile, openAsRoot } from './opened-by-root.ts';

// The files that a command line names. A command of the installed package runs in another folder, and if root has started
// it, as another user: so the names are resolved, and the files opened, while the command line is parsed.

const opened = new Map<string, OpenedFile>();
const written = new Set<string>();

/** Parses the name of a file that the command reads; `-` is the standard input. */
export function inputFile(name: string): string {
  if (installedPackage === undefined || name === '-') return name;
  const file = path.resolve(name);
  if (process.getuid?.() === 0 && !opened.has(file)) {
    const found = openAsRoot(file);
    if (found) opened.set(file, found);
  }
  return file;
}

/** Parses the name of a file that the command writes, in a folder that exists. */
export function outputFile(name: string): string {
  const file = placeOf(name);
  if (installedPackage !== undefined) written.add(file);
  return file;
}

/** Parses the name of a file or folder that the command uses with the rights of its user. */
export function placeOf(name: string): string {
  return installedPackage === undefined ? name : path.resolve(name);
}

/** The files that the command line names for writing. */
export function outputFiles(): ReadonlySet<string> {
  return written;
}

export function wasOpenedByRoot(file: string): boolean {
  return opened.has(file);
}

/** The content of an input file, from its beginning each time. */
export function streamInput(file: string): Readable {
  const found = opened.get(file);
  return createReadStream(file, found ? { fd: found.descriptor, start: 0, autoClose: false } : {});
}

export function readInput(file: string): Promise<Buffer> {
  return buffer(streamInput(file));
}

/** The path of an input file without links. */
export function realPathOfInput(file: string): string {
  return opened.get(file)?.realPath ?? realpathSync(file);
}

/** The path of a file that belongs to an input file: beside it, or where this process may write too. */
export function pathBesideInput(file: string, ending: string): string {
  const found = opened.get(file);
  if (found === undefined) return `${file}${ending}`;
  const hash = createHash('sha256').update(found.realPath).digest('hex').slice(0, 16);
  return path.resolve(`${hash}${ending}`);
}

/** The path of an input file for what opens it itself: its own, or that of a copy for this process. */
export async function pathOfInput(file: string, copy: string): Promise<string> {
  if (!opened.has(file)) return file;
  mkdirSync(path.dirname(copy), { recursive: true, mode: 0o700 });
  await pipeline(streamInput(file), createWriteStream(copy, { flags: 'wx', mode: 0o600 }));
  return copy;
}
