import { readFile, rm, writeFile } from 'node:fs/promises';
import type { Timestamp } from '../../base/clock.ts';

/** Why the last scheduled backup could not be made, for `./gatehouse doctor`. */
export interface BackupFailure {
  readonly at: Timestamp;
  readonly message: string;
}

/** Stores the failure in a file next to the database. Without it, doctor still reports that a backup is late. */
export async function recordBackupFailure(database: string, failure: BackupFailure): Promise<void> {
  await writeFile(fileOf(database), JSON.stringify(failure), { mode: 0o600 }).catch(() => {});
}

export async function clearBackupFailure(database: string): Promise<void> {
  await rm(fileOf(database), { force: true }).catch(() => {});
}

/** The failure of the last backup; undefined if it was made. */
export async function findBackupFailure(database: string): Promise<BackupFailure | undefined> {
  try {
    return JSON.parse(await readFile(fileOf(database), 'utf8')) as BackupFailure;
  } catch {
    return undefined;
  }
}

function fileOf(database: string): string {
  return `${database}.backup-failure.json`;
}
