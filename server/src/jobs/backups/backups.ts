import { basename } from 'node:path';
import { doublingPauses } from '@gatehouse/contract/backoff';
import type { Clock, Timestamp } from '../../base/clock.ts';
import type { Report } from '../../base/report.ts';
import { findOperatorTenant } from '../../domain/sites/operator-tenant.ts';
import type { makeBackupInThread } from '../../runtime/threads/backup-thread.ts';
import type { Database } from '../../storage/database.ts';
import type { Job, Started, TaskRun } from '../job.ts';
import { clearBackupFailure, recordBackupFailure } from './backup-failure.ts';
import { BackupFolder } from './backup-folder.ts';
import { type BackupRetention, type BackupSchedule, lastDueTime } from './backup-schedule.ts';

const task = 'database';

/** Plain data, which is passed to the thread of the jobs. */
export interface BackupSettings {
  /** The path of the SQLite database. */
  readonly database: string;
  readonly folder: string;
  readonly schedule: BackupSchedule;
  readonly retention: BackupRetention;
}

export interface BackupsParts extends BackupSettings {
  /** Open for reading the identity of the installation. */
  readonly store: Database;
  readonly clock: Clock;
  readonly report: Report;
  /** Rejects with a message that says what to do, also when it is stopped. */
  readonly makeBackup: typeof makeBackupInThread;
}

/**
 * Copies an SQLite database into a folder on schedule, and then deletes old copies. A backup is due when none was begun
 * since the last time of the schedule: the files themselves are the only record of it. Two processes that make one at
 * the same time do no harm.
 */
export class Backups implements Job {
  readonly name = 'backups';
  readonly errorMessage = 'a backup could not be made and will be tried again';
  readonly sweepMilliseconds = 30_000;
  readonly concurrency = 1;
  readonly slotsPerTask = 1;
  readonly backoff = doublingPauses(60_000, 60 * 60_000);
  readonly #parts: BackupsParts;
  #opened: Promise<BackupFolder> | undefined;

  constructor(parts: BackupsParts) {
    this.#parts = parts;
  }

  /** A full disk, a missing folder or a damaged database: nothing else can be done meanwhile. */
  isOutage(): boolean {
    return true;
  }

  async findDue(now: Timestamp): Promise<readonly string[]> {
    const folder = await this.#folder();
    // A folder that cannot be read is reported when the backup fails.
    const [newest] = await folder.list(now).catch(() => []);
    const isDue = newest === undefined || newest.at < lastDueTime(this.#parts.schedule, now);
    return isDue ? [task] : [];
  }

  async start(_task: string, { stopping }: TaskRun): Promise<Started> {
    // Another process may have made it in the meantime.
    const due = await this.findDue(this.#parts.clock().toISOString());
    return { pieces: due.map(() => () => this.#make(stopping)), more: false };
  }

  async #make(stopping: AbortSignal): Promise<void> {
    const { database, clock } = this.#parts;
    const at = clock().toISOString();
    try {
      await this.#makeAndReport(at, stopping);
    } catch (error) {
      if (stopping.aborted) return;
      await recordBackupFailure(database, { at, message: (error as Error).message });
      throw error;
    }
    await clearBackupFailure(database);
  }

  async #makeAndReport(at: Timestamp, stopping: AbortSignal): Promise<void> {
    const { database, retention, clock, report, makeBackup } = this.#parts;
    const folder = await this.#folder();
    await folder.requireUsable();
    await folder.deleteLeftovers(at);
    const file = folder.fileFor(at);
    await makeBackup({ database, file }, stopping);
    if (stopping.aborted) return;
    // Old backups are deleted only when there is a new one.
    const deleted = await folder.deleteOld(retention, clock().toISOString());
    report('info', 'a backup was made', { backup: basename(file), folder: folder.path, deleted });
  }

  #folder(): Promise<BackupFolder> {
    const { store, folder, database } = this.#parts;
    this.#opened ??= findOperatorTenant(store).then(
      ({ id }) => new BackupFolder(folder, database, id),
      (error) => {
        this.#opened = undefined;
        throw error;
      },
    );
    return this.#opened;
  }
}
