import type { OutgoingSettings } from '../../base/networks/outgoing-url.ts';
import { isThisMachine } from '../../base/networks/this-machine.ts';
import type { WorkspaceSettings } from '../../connectors/workspaces.ts';
import { operatorSessions } from '../../domain/sessions/session.ts';
import type { MailServer } from '../../http/dashboard/api/dashboard-handler.ts';
import type { PageSettings } from '../../http/shared/requests/page-parts.ts';
import type { BackgroundSettings } from '../../jobs/background-jobs.ts';
import { parseBackupRetention, parseBackupSchedule } from '../../jobs/backups/backup-schedule.ts';
import type { BackupSettings } from '../../jobs/backups/backups.ts';
import type { ServiceSettings } from '../../runtime/operation-runner.ts';
import { sqlitePath } from '../../storage/database-url.ts';
import type { Settings } from './settings.ts';

const apiPath = '/api/v1';

/** The settings that are passed to a thread. */
export function backgroundSettings(settings: Settings): BackgroundSettings {
  const { eventRetentionDays, purgeIntervalSeconds, smtpUrl, mailFrom, mailFromName, emailLimits } = settings;
  const workspaces = workspaceSettings(settings);
  const backups = backupSettings(settings);
  return {
    eventRetentionDays,
    purgeIntervalSeconds,
    smtpUrl,
    mailFrom,
    mailFromName,
    emailLimits,
    workspaces,
    backups,
  };
}

/** The settings of the pages of members and operators. */
export function pageSettings(settings: Settings): PageSettings {
  const { loginLimit, loginLimitClient, operatorSessionIdleHours, operatorSessionDays, requirePasskeys } =
    settings;
  return {
    loginLimit,
    loginLimitClient,
    operatorSessions: operatorSessions(operatorSessionIdleHours, operatorSessionDays),
    requirePasskeys,
  };
}

/** What operators may see of the mail server; undefined if none is configured. */
export function shownMailServer({ smtpUrl, mailFrom }: Settings): MailServer | undefined {
  if (smtpUrl === undefined || mailFrom === undefined) return undefined;
  return { from: mailFrom, host: new URL(smtpUrl).host };
}

/** The settings of the operations. */
export function serviceSettings(settings: Settings): ServiceSettings {
  const { publicUrl, eventRetentionDays, smtpUrl, rateLimit, emailLimits } = settings;
  return {
    publicUrl,
    apiUrl: publicUrl + apiPath,
    eventRetentionDays,
    sendsEmail: smtpUrl !== undefined,
    defaultRateLimit: rateLimit,
    emailLimits,
    workspaces: workspaceSettings(settings),
  };
}

/** The scheduled backups of an SQLite database; undefined for none. */
export function backupSettings(settings: Settings): BackupSettings | undefined {
  const { databaseUrl, backupFolder: folder, backupSchedule, backupKeep } = settings;
  if (folder === undefined) return undefined;
  return {
    folder,
    database: sqlitePath(databaseUrl),
    schedule: parseBackupSchedule(backupSchedule)!,
    retention: parseBackupRetention(backupKeep)!,
  };
}

/** What requests to addresses that someone else chose may reach. */
export function outgoingSettings({ allowedNetworks, publicUrl }: Settings): OutgoingSettings {
  const { protocol, hostname } = new URL(publicUrl);
  // At such a URL, only this machine can open Gatehouse: it is being tried out or developed.
  return { allowedNetworks, allowsHttp: protocol === 'http:' && isThisMachine(hostname) };
}

/** What is needed to read external workspaces. */
export function workspaceSettings(settings: Settings): WorkspaceSettings {
  return {
    outgoing: outgoingSettings(settings),
    notionUrl: settings.notionUrl,
    secretKeys: settings.secretKeys,
  };
}
