import { chmodSync, closeSync, fsyncSync, openSync, statSync } from 'node:fs';
import { backup, DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { UnusableDatabaseFile } from '../errors.ts';
import type { AppliedMigration } from '../migrations/migrations.ts';
import { readMigrationsTable } from './migrations-table.ts';
import { type SchemaObject, selectSchema } from './sqlite-schema.ts';

const pagesAtOnce = 1_000;
const lockWaitMilliseconds = 1_000;
const busy = 5; // SQLITE_BUSY, https://sqlite.org/rescode.html

/** The suffixes of the files that SQLite keeps next to a database. */
export const companionSuffixes = ['-wal', '-shm', '-journal'] as const;

/** The existing files of a database: the database itself and the files next to it. */
export function filesOfDatabase(path: string): { file: string; mode: number; size: number }[] {
  return ['', ...companionSuffixes].flatMap((ending) => {
    const state = statSync(path + ending, { throwIfNoEntry: false });
    return state === undefined ? [] : [{ file: path + ending, mode: state.mode & 0o777, size: state.size }];
  });
}

/**
 * Restricts a database and the files next to it to their owner, because they hold personal data and login links. A
 * umask does not change existing files; files that SQLite creates later get the mode of the database.
 */
export function keepToOwner(path: string): void {
  for (const { file } of filesOfDatabase(path)) keepFileToOwner(file);
}

/** Restricts a file to its owner, if others can access it. */
export function keepFileToOwner(file: string): void {
  try {
    if ((statSync(file).mode & 0o077) !== 0) chmodSync(file, 0o600);
  } catch (error) {
    // Only the owner can change the mode; `./gatehouse doctor` reports it.
    if (!['EPERM', 'EROFS', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

/** The URL with which SQLite opens a file only if it exists: by default it would create it, readable for others. */
export function existingFile(path: string): URL {
  const url = pathToFileURL(path);
  url.searchParams.set('mode', 'rw');
  return url;
}

/** SQLite would use an empty file as a new database. @throws {UnusableDatabaseFile} */
export function refuseEmptyFile(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.size !== 0) return;
  throw new UnusableDatabaseFile(
    `The database file ${path} is empty and its data is lost. Restore a backup with ./gatehouse restore <file>, or ` +
      `delete it, with ${path}-wal and ${path}-shm, to start with a new database.`,
  );
}

export interface CopyProgress {
  readonly donePages: number;
  readonly totalPages: number;
}

/**
 * Copies a database as it is now into a new file, complete and synced to disk. Other processes may continue to read
 * and write.
 * @throws when the copy already exists
 */
export async function copySqliteFile(
  from: string,
  to: string,
  onProgress: (progress: CopyProgress) => void = () => {},
): Promise<void> {
  closeSync(openSync(to, 'wx', 0o600)); // personal data: readable only by its owner, from the first byte
  const source = new DatabaseSync(from, { readOnly: true, timeout: lockWaitMilliseconds });
  try {
    // One snapshot for the whole copy. Without it, SQLite restarts the copy whenever another process writes, and on a
    // busy server it would never finish.
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
  // A file in WAL mode would come with two more files, which are easily lost.
  copy.exec('PRAGMA journal_mode = DELETE');
  copy.close();
  syncToDisk(to);
}

export interface SqliteFileState {
  /** Problems that SQLite finds; empty when the file is intact. */
  readonly problems: readonly string[];
  /** Undefined when this is not a Gatehouse database. */
  readonly migrations: readonly AppliedMigration[] | undefined;
  readonly schema: readonly SchemaObject[];
}

/**
 * Reads every page of a database file.
 * @throws when it is not a database
 * @throws {MigrationMismatch} when its tables are not those of a release
 */
export function inspectSqliteFile(path: string): SqliteFileState {
  const database = new DatabaseSync(path, { readOnly: true, timeout: lockWaitMilliseconds });
  try {
    // Whoever made the file may have put functions with effects into its views and expressions.
    database.exec('PRAGMA trusted_schema = OFF');
    const lines = database.prepare('PRAGMA integrity_check').all() as { integrity_check: string }[];
    const orphans = database.prepare('PRAGMA foreign_key_check').all() as { table: string }[];
    return {
      problems: [
        ...lines.map((line) => line.integrity_check).filter((line) => line !== 'ok'),
        ...orphans.map(({ table }) => `a row of ${table} references another row that does not exist`),
      ],
      migrations: readMigrationsTable(database),
      schema: database.prepare(selectSchema).all() as unknown as SchemaObject[],
    };
  } finally {
    database.close();
  }
}

export interface SqliteFileLock {
  release(): void;
}

/**
 * Locks a database file against all other programs and writes its WAL into it. Returns undefined when another program
 * has it open; in WAL mode an open connection holds a lock even when idle.
 * @throws when the file is damaged
 */
export function lockSqliteFile(path: string): SqliteFileLock | undefined {
  const database = new DatabaseSync(path, { timeout: lockWaitMilliseconds });
  const journalMode = (pragma: string) =>
    (database.prepare(pragma).get() as { journal_mode: string }).journal_mode;
  try {
    // Only the sole user of the file can leave WAL mode.
    if (journalMode('PRAGMA journal_mode = DELETE') === 'delete') {
      database.exec('BEGIN EXCLUSIVE');
      // Another program may have opened the file in between and turned WAL mode on again.
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

/** Waits until a file, or the entries of a folder, are safe against a power failure. */
export function syncToDisk(path: string): void {
  const file = openSync(path, 'r');
  fsyncSync(file);
  closeSync(file);
}
