import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { publish } from './new-file.ts';
import { keepFileToOwner, syncToDisk } from './sqlite-file.ts';

/** The file beside a database with the key of its secrets. */
export function keyFileOf(path: string): string {
  return `${path}.key`;
}

/** The text of a key file; undefined if there is none. */
export function readKeyFile(path: string): string | undefined {
  try {
    return readFileSync(keyFileOf(path), 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Returns the text of a key file, which is created with a new key if there is none. It is on disk before it is
 * returned, so that no secret outlives its key. Of several processes at the same time one creates it, and all get its
 * key.
 */
export function ensureKeyFile(path: string, newKey: () => string): string {
  const file = keyFileOf(path);
  let text = readKeyFile(path);
  if (text === undefined) {
    createKeyFile(file, newKey());
    text = readKeyFile(path);
    if (text === undefined) throw new Error(`${file} was deleted while it was created.`);
  }
  keepFileToOwner(file);
  // The process that created it may not have finished this yet.
  syncToDisk(dirname(file));
  removeLeftovers(file);
  return text;
}

function createKeyFile(file: string, key: string): void {
  const temporary = `${file}.new-${randomUUID()}`;
  try {
    writeFileSync(temporary, `${key}\n`, { mode: 0o600, flag: 'wx' });
    // If another process was faster, its key counts.
    publish(temporary, file);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Removes leftovers of crashed processes. As the file exists, another process that creates it has no use for its own. */
function removeLeftovers(file: string): void {
  const start = `${basename(file)}.new-`;
  for (const name of readdirSync(dirname(file)).filter((each) => each.startsWith(start))) {
    rmSync(join(dirname(file), name), { force: true });
  }
}
