import { CommandFailure } from '../../app/failure.ts';
import { openLog } from '../../app/log/service-log.ts';
import { untilSignal } from '../../app/log/until-signal.ts';
import { backupSettings } from '../../app/settings/service-settings.ts';
import type { Settings } from '../../app/settings/settings.ts';
import { systemClock } from '../../base/clock.ts';
import { factsOf } from '../../base/report.ts';
import { systemTimers } from '../../base/timers.ts';
import { reportWarnings } from '../../base/warnings.ts';
import { findOperatorTenant } from '../../domain/sites/operator-tenant.ts';
import { BackupFolder } from '../../jobs/backups/backup-folder.ts';
import { nextDueTime } from '../../jobs/backups/backup-schedule.ts';
import { Backups } from '../../jobs/backups/backups.ts';
import { JobRunner } from '../../jobs/runner.ts';
import { makeBackupInThread } from '../../runtime/threads/backup-thread.ts';
import type { Database } from '../../storage/database.ts';
import { withDatabase } from '../shared/store.ts';

/** Makes backups on schedule until a signal arrives, like a service with GATEHOUSE_BACKUP_FOLDER. */
export async function runScheduledBackups(settings: Settings, json: boolean): Promise<void> {
  const backups = backupSettings(settings)!;
  const log = await openLog(settings.logLevel, json);
  reportWarnings(({ name, message }) => log.logger.warn({ warning: name }, message));
  await withDatabase(async (store) => {
    await requireFolder(store, backups.folder, backups.database);
    const job = new Backups({
      ...backups,
      store,
      clock: systemClock,
      makeBackup: makeBackupInThread,
      report: (level, message, facts) => log.logger[level](facts, message),
    });
    const runner = new JobRunner([job], {
      database: store,
      clock: systemClock,
      timers: systemTimers,
      onError: ({ errorMessage }, error) => log.logger.warn(factsOf(error), errorMessage),
    });
    const signal = untilSignal();
    runner.start();
    const next = nextDueTime(backups.schedule, systemClock().toISOString());
    log.logger.info({ folder: backups.folder, next }, 'backups are made on schedule');
    log.logger.info({ signal: await signal }, 'the backups are stopping');
    await runner.stop();
  });
  log.exit(0);
}

/** @throws {CommandFailure} before anything is scheduled, because someone is still there to correct it */
async function requireFolder(store: Database, folder: string, database: string): Promise<void> {
  const tenant = await findOperatorTenant(store).catch(() => undefined);
  if (tenant === undefined) {
    throw new CommandFailure(
      'database_missing',
      'The service has not been started on this database yet. Start it once with ./gatehouse serve.',
    );
  }
  await new BackupFolder(folder, database, tenant.id).requireUsable().catch((error: Error) => {
    throw new CommandFailure('folder_not_found', error.message);
  });
}
