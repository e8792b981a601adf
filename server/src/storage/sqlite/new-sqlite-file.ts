import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Database } from '../database.ts';
import { StoreUnavailable, UnusableDatabaseFile } from '../errors.ts';
import { publish } from './new-file.ts';
import { openSqlite } from './sqlite-database.ts';
import { companionSuffixes, existingFile, refuseEmptyFile } from './sqlite-file.ts';

const busy = 5; // SQLITE_BUSY, https://sqlite.org/rescode.html
/** How many times to try while other processes take the temporary file for a leftover before this one has locked it. */
const maxTries = 20;
/** How many of these tries may end because the file is locked. Each waits some seconds for the lock. */
const maxLockedTries = 3;
const lengthOfUuid = 36;

/**
 * Creates a database file if there is none. The file is built under a temporary name in the same folder and gets its
 * final name once `build` has ended and the file is on disk. So a crash at any moment leaves a complete database or
 * none, and when several processes start at the same time, only one creates it. Leftovers of earlier processes
 * are removed.
 * @returns false when the file already exists, or another process created it first
 * @throws {UnusableDatabaseFile} for an empty file
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
  for (let tries = 0, lockedTries = 0; tries < maxTries; tries += 1) {
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
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      // Another process took the file for a leftover: it has deleted the file, or has it locked to find out.
      if (existsSync(temporary)) {
        lockedTries += 1;
        if (!isBusy(error.cause) || lockedTries === maxLockedTries) throw error;
      }
    } finally {
      discard(temporary);
    }
  }
  throw new UnusableDatabaseFile(
    `${path} could not be created: another program deletes its files. Try again.`,
  );
}

function isBusy(error: unknown): boolean {
  return ((error as { errcode?: number }).errcode ?? 0) % 256 === busy;
}

/** Removes leftovers of crashed processes, but no file that another process is building now. */
function removeLeftovers(path: string): void {
  const start = `${basename(path)}.new-`;
  const found = readdirSync(dirname(path)).filter((name) => name.startsWith(start));
  for (const name of new Set(found.map((name) => name.slice(0, start.length + lengthOfUuid)))) {
    const file = join(dirname(path), name);
    if (!isInUse(file)) discard(file);
  }
}

/** A process that builds a database holds its lock until the end. */
function isInUse(file: string): boolean {
  const state = statSync(file, { throwIfNoEntry: false });
  // A second name of a finished database: it must not be opened under this name.
  if (state === undefined || state.nlink > 1) return false;
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(existingFile(file), { timeout: 0 });
    database.exec('BEGIN EXCLUSIVE');
    return false;
  } catch (error) {
    // Any other error means a truncated file, or one that is gone.
    return isBusy(error);
  } finally {
    database?.close();
  }
}

function discard(file: string): void {
  for (const ending of ['', ...companionSuffixes]) rmSync(file + ending, { force: true });
}

/** SQLite would apply the journal of another, deleted database to the new one. */
function refuseOrphanedJournal(path: string): void {
  for (const ending of ['-wal', '-journal']) {
    const state = statSync(path + ending, { throwIfNoEntry: false });
    if (state === undefined) continue;
    if (state.size > 0) {
      throw new UnusableDatabaseFile(
        `There is no database at ${path}, but ${path}${ending} contains changes of a deleted or moved one. Put the database back, ` +
          'restore a backup with ./gatehouse restore <file>, or delete that file too to start with a new database.',
      );
    }
    rmSync(path + ending, { force: true });
  }
  rmSync(`${path}-shm`, { force: true });
}
