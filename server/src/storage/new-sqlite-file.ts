import { randomUUID } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Database } from './database.ts';
import { UnusableDatabaseFile } from './errors.ts';
import { openSqlite } from './sqlite.ts';
import { besideEndings, refuseEmptyFile, syncToDisk } from './sqlite-file.ts';

const busy = 5; // SQLITE_BUSY, https://sqlite.org/rescode.html
/** So often another start may take a file for a leftover before this one has locked it. */
const maxTries = 20;
const lengthOfUuid = 36;

/**
 * Makes a database file where there is none: under another name in the same folder, which becomes its own once `build`
 * has ended and the file is on disk. So after a crash at any moment there is a whole database or none, and of several
 * processes that begin at once one makes it. What an earlier process left behind is removed.
 * @returns false when there is a file already, or another process made it first
 * @throws UnusableDatabaseFile for an empty file
 */
export async function createSqliteFile(
  path: string,
  build: (database: Database) => Promise<void>,
): Promise<boolean> {
  if (existsSync(path)) {
    refuseEmptyFile(path);
    return false;
  }
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  for (let tries = 0; tries < maxTries; tries += 1) {
    removeLeftovers(path);
    refuseOrphanedJournal(path);
    const temporary = `${path}.new-${randomUUID()}`;
    try {
      const database = openSqlite(temporary, { exclusive: true });
      try {
        await build(database);
      } finally {
        await database.close();
      }
      const published = publish(temporary, path);
      if (published !== undefined) return published;
    } finally {
      discard(temporary);
    }
  }
  throw new UnusableDatabaseFile(`${path} could not be made: another program removes its files. Try again.`);
}

/**
 * Gives the file its name, unless another has that name by now: then false. Undefined when the file is gone, because
 * another start took it for a leftover before it was locked.
 */
function publish(temporary: string, path: string): boolean | undefined {
  try {
    syncToDisk(temporary);
    linkSync(temporary, path);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    if (code === 'ENOENT') return undefined;
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(code)) throw error;
    // A file system without links, and so without a way to name a file only where the name is free.
    if (existsSync(path)) return false;
    renameSync(temporary, path);
  }
  rmSync(temporary, { force: true });
  syncToDisk(dirname(path));
  return true;
}

/** Removes what crashed starts left behind, and nothing that another process is making at this moment. */
function removeLeftovers(path: string): void {
  const start = `${basename(path)}.new-`;
  const found = readdirSync(dirname(path)).filter((name) => name.startsWith(start));
  for (const name of new Set(found.map((name) => name.slice(0, start.length + lengthOfUuid)))) {
    const file = join(dirname(path), name);
    if (!isInUse(file)) discard(file);
  }
}

/** Whoever makes a database holds its lock to the end. */
function isInUse(file: string): boolean {
  const state = statSync(file, { throwIfNoEntry: false });
  // A second name of a database that is whole already: it must not be opened by this one.
  if (state === undefined || state.nlink > 1) return false;
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file, { timeout: 0 });
    database.exec('BEGIN EXCLUSIVE');
    return false;
  } catch (error) {
    // Anything else is a file that was cut short.
    return ((error as { errcode?: number }).errcode ?? 0) % 256 === busy;
  } finally {
    database?.close();
  }
}

function discard(file: string): void {
  for (const ending of ['', ...besideEndings]) rmSync(file + ending, { force: true });
}

/** SQLite would apply the changes of another database, whose file is gone, to the new one. */
function refuseOrphanedJournal(path: string): void {
  for (const ending of ['-wal', '-journal']) {
    const state = statSync(path + ending, { throwIfNoEntry: false });
    if (state === undefined) continue;
    if (state.size > 0) {
      throw new UnusableDatabaseFile(
        `There is no database at ${path}, but ${path}${ending} has changes that belong to one. Put the database back, ` +
          'restore a backup with ./gatehouse restore <file>, or delete that file too to start with a new database.',
      );
    }
    rmSync(path + ending, { force: true });
  }
  rmSync(`${path}-shm`, { force: true });
}
