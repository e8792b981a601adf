import { chmodSync, closeSync, fsyncSync, openSync, statSync } from 'node:fs';
import { backup, DatabaseSync } from 'node:sqlite';
import { UnusableDatabaseFile } from './errors.ts';

const pagesAtOnce = 1_000;
const lockWaitMilliseconds = 1_000;
const busy = 5; // SQLITE_BUSY, https://sqlite.org/rescode.html

/** The files that SQLite keeps beside a database. */
export const besideEndings = ['-wal', '-shm', '-journal'] as const;

/** The database and the files beside it that are there. */
export function filesOfDatabase(path: string): { file: string; mode: number; size: number }[] {
  return ['', ...besideEndings].flatMap((ending) => {
    const state = statSync(path + ending, { throwIfNoEntry: false });
    return state === undefined ? [] : [{ file: path + ending, mode: state.mode & 0o777, size: state.size }];
  });
}

/**
 * Takes a database and the files beside it from everybody but their owner: they hold personal data and links to log in
 * with. A umask would not reach files that are there already; what SQLite makes later has the mode of the database.
 */
export function keepToOwner(path: string): void {
  for (const { file, mode } of filesOfDatabase(path)) {
    if ((mode & 0o077) === 0) continue;
    try {
      chmodSync(file, 0o600);
    } catch (error) {
      // Of another owner, who alone can do it: `doctor` says so.
      if (!['EPERM', 'EROFS', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    }
  }
}

/** SQLite takes an empty file for a new database. @throws UnusableDatabaseFile */
export function refuseEmptyFile(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.size !== 0) return;
  throw new UnusableDatabaseFile(
    `The database file ${path} is empty: what it held is lost. Restore a backup with ./gatehouse restore <file>, or ` +
      `delete it, with ${path}-wal and ${path}-shm, to start with a new database.`,
  );
}

export interface CopyProgress {
  readonly donePages: number;
  readonly totalPages: number;
}

/**
 * Copies a database as it is at this moment into a new file, complete in itself and safe on disk. Others may go on
 * reading and writing.
 * @throws when the copy exists already
 */
export async function copySqliteFile(
  from: string,
  to: string,
  onProgress: (progress: CopyProgress) => void = () => {},
): Promise<void> {
  closeSync(openSync(to, 'wx', 0o600)); // personal data: for its owner alone, from the first byte
  const source = new DatabaseSync(from, { readOnly: true, timeout: lockWaitMilliseconds });
  try {
    // One snapshot for the whole copy. Without it SQLite begins anew whenever another process writes, and on a busy
    // service would never come to an end.
    source.exec('BEGIN');
    source.prepare('SELECT count(*) FROM sqlite_schema').get();
    await backup(source, to, {
      rate: pagesAtOnce,
      progress: ({ totalPages, remainingPages }) =>
        onProgress({ donePages: totalPages - remainingPages, totalPages }),
    });
  } finally {
    source.close();
  }
  const copy = new DatabaseSync(to);
  // A file in WAL mode would come with two others, which are easily lost.
  copy.exec('PRAGMA journal_mode = DELETE');
  copy.close();
  syncToDisk(to);
}

export interface SqliteFileState {
  /** What SQLite finds wrong; empty when it is sound. */
  readonly problems: readonly string[];
  /** Undefined when this is no database of Gatehouse. */
  readonly migrations: readonly { name: string; hash: string }[] | undefined;
}

/** Reads every page of a database file. @throws when it is no database at all */
export function inspectSqliteFile(path: string): SqliteFileState {
  const database = new DatabaseSync(path, { readOnly: true, timeout: lockWaitMilliseconds });
  try {
    const lines = database.prepare('PRAGMA integrity_check').all() as { integrity_check: string }[];
    const orphans = database.prepare('PRAGMA foreign_key_check').all() as { table: string }[];
    const known = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'migrations'").get();
    return {
      problems: [
        ...lines.map((line) => line.integrity_check).filter((line) => line !== 'ok'),
        ...orphans.map(({ table }) => `a row of ${table} names another that is not there`),
      ],
      migrations: known
        ? (database.prepare('SELECT name, hash FROM migrations ORDER BY name').all() as {
            name: string;
            hash: string;
          }[])
        : undefined,
    };
  } finally {
    database.close();
  }
}

export interface SqliteFileLock {
  release(): void;
}

/**
 * Keeps every other program from a database file, and folds what stands in its WAL into it. Undefined when another
 * program has it open: in WAL mode whoever does holds a lock, idle or not.
 * @throws when the file is damaged
 */
export function lockSqliteFile(path: string): SqliteFileLock | undefined {
  const database = new DatabaseSync(path, { timeout: lockWaitMilliseconds });
  const journalMode = (pragma: string) =>
    (database.prepare(pragma).get() as { journal_mode: string }).journal_mode;
  try {
    // WAL mode can only be left by whoever is alone.
    if (journalMode('PRAGMA journal_mode = DELETE') === 'delete') {
      database.exec('BEGIN EXCLUSIVE');
      // Another program may have come in between and have turned WAL mode on again.
      if (journalMode('PRAGMA journal_mode') === 'delete') return { release: () => database.close() };
    }
    database.close();
    return undefined;
  } catch (error) {
    database.close();
    if (((error as { errcode?: number }).errcode ?? 0) % 256 === busy) return undefined;
    throw error;
  }
}

/** Waits until a file, or the names in a folder, will survive a power cut. */
export function syncToDisk(path: string): void {
  const file = openSync(path, 'r');
  fsyncSync(file);
  closeSync(file);
}
