import { statfsSync } from 'node:fs';
import { millisecondsBetween, type Timestamp } from '../../../../base/clock.ts';
import { findOperatorTenant } from '../../../../domain/sites/operator-tenant.ts';
import { findBackupFailure } from '../../../../jobs/backups/backup-failure.ts';
import { BackupFolder } from '../../../../jobs/backups/backup-folder.ts';
import { lastDueTime, nextDueTime } from '../../../../jobs/backups/backup-schedule.ts';
import type { BackupSettings } from '../../../../jobs/backups/backups.ts';
import type { Queries } from '../../../../storage/database.ts';
import { filesOfDatabase } from '../../../../storage/sqlite/sqlite-file.ts';
import { type Check, fail, ok, warn } from '../check.ts';

/** A large database takes a while to copy and to check. */
const maxLateMilliseconds = 60 * 60_000;

/** Checks that scheduled backups are made, if there are any. */
export async function checkBackups(
  db: Queries,
  backups: BackupSettings | undefined,
  now: Timestamp,
): Promise<Check[]> {
  if (!backups) return [];
  try {
    const tenant = await findOperatorTenant(db);
    const folder = new BackupFolder(backups.folder, backups.database, tenant.id);
    await folder.requireUsable();
    return [await checkNewest(folder, backups, now)];
  } catch (error) {
    const advice = 'No backup is made until this is corrected.';
    return [fail('backups', (error as Error).message, advice)];
  }
}

async function checkNewest(folder: BackupFolder, backups: BackupSettings, now: Timestamp): Promise<Check> {
  const { database, schedule } = backups;
  const found = await folder.list(now);
  const failure = await findBackupFailure(database);
  const due = lastDueTime(schedule, now);
  const newest = found[0]?.at;
  const summary = newest === undefined ? 'no backup yet' : `the newest of ${found.length} is from ${newest}`;
  const shown = `${summary}, in ${folder.path}`;
  if (failure) {
    const advice = 'It is tried again, at least every hour. Old backups stay until there is a new one.';
    return fail('backups', `${shown}; at ${failure.at} one failed: ${failure.message}`, advice);
  }
  if ((newest ?? '') < due && millisecondsBetween(due, now) > maxLateMilliseconds) {
    const advice =
      'Backups are made while the service runs. Check that it runs with GATEHOUSE_BACKUP_FOLDER, and its log.';
    return fail('backups', `${shown}; one has been due since ${due}`, advice);
  }
  if (newest === undefined) return warn('backups', shown, 'The service makes the first one within a minute.');
  const free = freeBytes(folder.path);
  const size = filesOfDatabase(database).reduce((sum, file) => sum + file.size, 0);
  if (free < size) {
    const advice = 'Free disk space there, or keep fewer with GATEHOUSE_BACKUP_KEEP.';
    return warn('backups', `${shown}; there is no space for another one`, advice);
  }
  return ok('backups', `${shown}; the next is due at ${nextDueTime(schedule, now)}`);
}

function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}
