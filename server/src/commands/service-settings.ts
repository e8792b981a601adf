import { operatorSessions } from '../domain/sessions/session.ts';
import type { PageSettings } from '../http/shared/page-request.ts';
import type { BackgroundSettings } from '../jobs/background-jobs.ts';
import type { ServiceSettings } from '../runtime/operation-runner.ts';
import { backupSettings, type Settings, workspaceSettings } from './settings.ts';

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
