import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { UnusableDatabaseFile } from '../errors.ts';
import { type CopyProgress, copySqliteFile, inspectSqliteFile, syncToDisk } from './sqlite-file.ts';

/**
 * Copies a database next to a file, checks the copy, and then lets `publish` give it the name of the file. Until then it
 * has another name, so that a file with that name is always complete.
 * @throws {UnusableDatabaseFile} when the copy is damaged, as the database then is too
 */
export async function writeBackup(
  database: string,
  file: string,
  publish: (copy: string) => void,
  onProgress: (progress: CopyProgress) => void = () => {},
): Promise<void> {
  const copy = unfinishedCopyOf(file);
  try {
    await copySqliteFile(database, copy, onProgress);
    requireSound(copy);
    publish(copy);
    syncToDisk(dirname(file));
  } finally {
    discardUnfinishedCopy(file);
  }
}

/** Deletes what an interrupted copy of this process left. */
export function discardUnfinishedCopy(file: string): void {
  for (const ending of ['', '-journal']) rmSync(unfinishedCopyOf(file) + ending, { force: true });
}

/** Between the name of a backup and the process ID. */
export const unfinishedMark = '.part-';

function unfinishedCopyOf(file: string): string {
  return `${file}${unfinishedMark}${process.pid}`;
}

function requireSound(copy: string): void {
  const [problem] = inspectSqliteFile(copy).problems;
  if (problem === undefined) return;
  throw new UnusableDatabaseFile(
    `The copy is damaged: ${problem}. Restore an earlier backup with ./gatehouse restore.`,
  );
}
