// Archives that follow from their content alone: sorted names, the owners, modes and the one time that are given here, and
// nothing of the machine that writes them. The form is ustar (POSIX.1-2001), which every program for archives reads.

import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import path from 'node:path';
import { constants, gzipSync } from 'node:zlib';

/** A file, a folder, or a symbolic link of an archive. */
export interface Entry {
  /** Relative, with `/` between its parts. */
  readonly name: string;
  readonly type: 'file' | 'folder' | 'link';
  readonly mode: number;
  /** The number of its user and its group. */
  readonly owner: number;
  readonly content: Buffer;
  /** Of a link. */
  readonly target: string;
}

interface Attributes {
  readonly mode?: number;
  readonly owner?: number;
}

const none = Buffer.alloc(0);

export function file(
  name: string,
  content: Buffer | string,
  { mode = 0o644, owner = 0 }: Attributes = {},
): Entry {
  return { name, type: 'file', mode, owner, content: Buffer.from(content), target: '' };
}

export function folder(name: string, { mode = 0o755, owner = 0 }: Attributes = {}): Entry {
  return { name, type: 'folder', mode, owner, content: none, target: '' };
}

export function link(name: string, target: string): Entry {
  return { name, type: 'link', mode: 0o777, owner: 0, content: none, target };
}

/**
 * What is inside a folder of the disk, below another name, or at the top if that is empty. Of the modes, only what is a
 * program counts.
 */
export function entriesOf(source: string, name: string): Entry[] {
  return readdirSync(source, { withFileTypes: true }).flatMap((entry) => {
    const [place, named] = [path.join(source, entry.name), path.posix.join(name, entry.name)];
    if (entry.isDirectory()) return [folder(named), ...entriesOf(place, named)];
    if (entry.isSymbolicLink()) return [link(named, readlinkSync(place))];
    return [file(named, readFileSync(place), { mode: statSync(place).mode & 0o100 ? 0o755 : 0o644 })];
  });
}

/** An archive of the entries, and of the folders that they are in. */
export function tar(entries: readonly Entry[], epochSeconds: number): Buffer {
  const byName = new Map(entries.flatMap(({ name }) => parentsOf(name).map((each) => [each.name, each])));
  for (const entry of entries) byName.set(entry.name, entry);
  const sorted = [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  const blocks = sorted.flatMap((entry) => [
    header(entry, epochSeconds),
    entry.content,
    padding(entry.content),
  ]);
  return Buffer.concat([...blocks, Buffer.alloc(2 * blockSize)]);
}

/** Without a name and a time. */
export function gzip(content: Buffer): Buffer {
  return gzipSync(content, { level: constants.Z_BEST_COMPRESSION });
}

function parentsOf(name: string): Entry[] {
  const parts = name.split('/').slice(0, -1);
  return parts.map((_, i) => folder(parts.slice(0, i + 1).join('/')));
}

const blockSize = 512;
const typeFlags = { file: '0', link: '2', folder: '5' };

function padding({ length }: Buffer): Buffer {
  return Buffer.alloc((blockSize - (length % blockSize)) % blockSize);
}

function header(entry: Entry, epochSeconds: number): Buffer {
  const block = Buffer.alloc(blockSize);
  const text = (value: string, offset: number, length: number) => {
    if (Buffer.byteLength(value) > length) throw new Error(`${entry.name}: ${value} is too long for ustar.`);
    block.write(value, offset);
  };
  const octal = (value: number, offset: number, length: number) =>
    text(value.toString(8).padStart(length - 1, '0'), offset, length - 1);
  const [prefix, name] = splitName(entry.type === 'folder' ? `${entry.name}/` : entry.name);
  text(name, 0, 100);
  octal(entry.mode, 100, 8);
  octal(entry.owner, 108, 8);
  octal(entry.owner, 116, 8);
  octal(entry.content.length, 124, 12);
  octal(epochSeconds, 136, 12);
  text(typeFlags[entry.type], 156, 1);
  text(entry.target, 157, 100);
  text('ustar\x0000', 257, 8);
  text(prefix, 345, 155);
  // The checksum is computed with spaces in its own place.
  text(' '.repeat(8), 148, 8);
  octal(
    block.reduce((sum, byte) => sum + byte, 0),
    148,
    7,
  );
  block[154] = 0;
  return block;
}

/** A name of more than 100 bytes is divided at a `/`. */
function splitName(name: string): [prefix: string, name: string] {
  if (Buffer.byteLength(name) <= 100) return ['', name];
  const end = name.indexOf('/', name.length - 101);
  return [name.slice(0, end), name.slice(end + 1)];
}
