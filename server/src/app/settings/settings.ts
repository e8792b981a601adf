import path from 'node:path';
import type { EmailLimits } from '../../domain/emails/email-budget.ts';
import { findGiven, type SettingOptions, settingsFile } from './given-settings.ts';
import { checkTogether } from './setting-conflicts.ts';
import { type Definition, definitions, type SettingName } from './setting-definitions.ts';
import { SettingError } from './setting-error.ts';

/**
 * The settings of an operator. Each is the environment variable of that name, or its camel-case key in
 * gatehouse.json.
 */
export interface Settings {
  readonly databaseUrl: string;
  /** The same database without a pooler. */
  readonly databaseDirectUrl: string | undefined;
  /** The keys of stored secrets. Empty for those of the key file beside an SQLite database. */
  readonly secretKeys: readonly string[];
  readonly host: string;
  readonly port: number;
  readonly publicUrl: string;
  readonly trustedProxies: readonly string[];
  readonly allowedNetworks: readonly string[];
  readonly notionUrl: string;
  readonly redisUrl: string | undefined;
  readonly rateLimit: number;
  readonly rateLimitUnauthenticated: number;
  /** What the stored responses of one API key may take in 24 h; 0 for no limit. */
  readonly storedResponsesMebibytes: number;
  readonly requestTimeoutSeconds: number;
  readonly drainSeconds: number;
  /** The number of processes that serve requests. */
  readonly workers: number;
  readonly eventRetentionDays: number;
  readonly purgeIntervalSeconds: number;
  readonly databasePoolSize: number;
  readonly logLevel: string;
  readonly smtpUrl: string | undefined;
  /** The address that sends emails. */
  readonly mailFrom: string | undefined;
  /** The name that sends them; undefined for the title of the site. */
  readonly mailFromName: string | undefined;
  readonly loginLimit: number;
  readonly loginLimitClient: number;
  readonly operatorSessionIdleHours: number;
  readonly operatorSessionDays: number;
  readonly requirePasskeys: boolean;
  readonly emailLimits: EmailLimits;
  readonly gateWithoutStore: 'denied' | 'public';
  /** The folder of the site that this process serves, as entered. */
  readonly siteFolder: string | undefined;
  /** The origin of the program of that site. */
  readonly siteUpstream: string | undefined;
  readonly siteUpstreamTimeoutSeconds: number;
  /** How many requests and WebSockets one client address may have open at that site; 0 for no limit. */
  readonly siteConnectionsPerAddress: number;
  /** The slug of that site; undefined for the only site. */
  readonly site: string | undefined;
  readonly siteHost: string;
  readonly sitePort: number;
  readonly metricsHost: string;
  /** Undefined for no address of its own. */
  readonly metricsPort: number | undefined;
  readonly metricsToken: string | undefined;
  /** The address that takes traces; undefined for none. */
  readonly tracesUrl: string | undefined;
  readonly tracesPercent: number;
  /** What takes at least this long is logged; 0 for nothing. */
  readonly slowRequestMilliseconds: number;
  readonly slowStatementMilliseconds: number;
  /** The absolute path of the folder for scheduled backups; undefined for none. */
  readonly backupFolder: string | undefined;
  readonly backupSchedule: string;
  readonly backupKeep: string;
}

/**
 * Reads the settings: the options first, then the environment, then gatehouse.json, then the defaults.
 * @throws {SettingError}
 */
export function readSettings(
  environment: NodeJS.ProcessEnv,
  file = settingsFile,
  options: SettingOptions = {},
): Settings {
  const given = findGiven(environment, file, options);
  const value: ValueOf = (name) => {
    const definition: Definition<unknown> = definitions[name];
    const { shownName, raw } = given(name);
    if (raw === undefined || raw === null || raw === '') return definition.default as never;
    const parsed = definition.parse(String(raw));
    if (parsed === undefined) throw invalidValue(name, shownName, raw);
    return parsed as never;
  };
  checkTogether(value, (name) => given(name).shownName);
  const port = value('GATEHOUSE_PORT');
  return {
    databaseUrl: value('GATEHOUSE_DATABASE_URL'),
    databaseDirectUrl: value('GATEHOUSE_DATABASE_DIRECT_URL'),
    secretKeys: value('GATEHOUSE_SECRET_KEY'),
    host: value('GATEHOUSE_HOST'),
    port,
    publicUrl: value('GATEHOUSE_PUBLIC_URL') ?? `http://localhost:${port}`,
    trustedProxies: value('GATEHOUSE_TRUSTED_PROXIES'),
    allowedNetworks: value('GATEHOUSE_ALLOWED_NETWORKS'),
    notionUrl: value('GATEHOUSE_NOTION_URL'),
    redisUrl: value('GATEHOUSE_REDIS_URL'),
    ...limitSettings(value),
    requestTimeoutSeconds: value('GATEHOUSE_REQUEST_TIMEOUT_SECONDS'),
    drainSeconds: value('GATEHOUSE_DRAIN_SECONDS'),
    workers: value('GATEHOUSE_WORKERS'),
    eventRetentionDays: value('GATEHOUSE_EVENT_RETENTION_DAYS'),
    purgeIntervalSeconds: value('GATEHOUSE_PURGE_INTERVAL_SECONDS'),
    databasePoolSize: value('GATEHOUSE_DATABASE_POOL_SIZE'),
    logLevel: value('GATEHOUSE_LOG_LEVEL'),
    smtpUrl: value('GATEHOUSE_SMTP_URL'),
    mailFrom: value('GATEHOUSE_MAIL_FROM')?.address,
    mailFromName: value('GATEHOUSE_MAIL_FROM')?.name,
    operatorSessionIdleHours: value('GATEHOUSE_OPERATOR_SESSION_IDLE_HOURS'),
    operatorSessionDays: value('GATEHOUSE_OPERATOR_SESSION_DAYS'),
    requirePasskeys: value('GATEHOUSE_REQUIRE_PASSKEYS'),
    gateWithoutStore: value('GATEHOUSE_GATE_WITHOUT_STORE'),
    ...builtInSiteSettings(value),
    backupFolder: absolutePath(value('GATEHOUSE_BACKUP_FOLDER')),
    backupSchedule: value('GATEHOUSE_BACKUP_SCHEDULE'),
    backupKeep: value('GATEHOUSE_BACKUP_KEEP'),
    ...monitoringSettings(value),
  };
}

type ValueOf = <N extends SettingName>(name: N) => (typeof definitions)[N]['default'];

function limitSettings(value: ValueOf) {
  return {
    rateLimit: value('GATEHOUSE_RATE_LIMIT'),
    rateLimitUnauthenticated: value('GATEHOUSE_RATE_LIMIT_UNAUTHENTICATED'),
    storedResponsesMebibytes: value('GATEHOUSE_STORED_RESPONSES_MEBIBYTES'),
    loginLimit: value('GATEHOUSE_LOGIN_LIMIT'),
    loginLimitClient: value('GATEHOUSE_LOGIN_LIMIT_CLIENT'),
    emailLimits: {
      mailbox: value('GATEHOUSE_EMAIL_LIMIT_MAILBOX'),
      sender: value('GATEHOUSE_EMAIL_LIMIT_SENDER'),
      signUp: value('GATEHOUSE_EMAIL_LIMIT_SIGN_UP'),
      signUpMailbox: value('GATEHOUSE_EMAIL_LIMIT_SIGN_UP_MAILBOX'),
    },
  };
}

function builtInSiteSettings(value: ValueOf) {
  return {
    siteFolder: value('GATEHOUSE_SITE_FOLDER'),
    siteUpstream: value('GATEHOUSE_SITE_UPSTREAM'),
    siteUpstreamTimeoutSeconds: value('GATEHOUSE_SITE_UPSTREAM_TIMEOUT_SECONDS'),
    siteConnectionsPerAddress: value('GATEHOUSE_SITE_CONNECTIONS_PER_ADDRESS'),
    site: value('GATEHOUSE_SITE'),
    siteHost: value('GATEHOUSE_SITE_HOST'),
    sitePort: value('GATEHOUSE_SITE_PORT'),
  };
}

function monitoringSettings(value: ValueOf) {
  return {
    metricsHost: value('GATEHOUSE_METRICS_HOST'),
    metricsPort: value('GATEHOUSE_METRICS_PORT'),
    metricsToken: value('GATEHOUSE_METRICS_TOKEN'),
    tracesUrl: value('GATEHOUSE_TRACES_URL'),
    tracesPercent: value('GATEHOUSE_TRACES_PERCENT'),
    slowRequestMilliseconds: value('GATEHOUSE_SLOW_REQUEST_MILLISECONDS'),
    slowStatementMilliseconds: value('GATEHOUSE_SLOW_STATEMENT_MILLISECONDS'),
  };
}

function absolutePath(folder: string | undefined): string | undefined {
  return folder === undefined ? undefined : path.resolve(folder);
}

function invalidValue(name: SettingName, shownName: string, value: unknown): SettingError {
  const { expected, isSecret } = definitions[name];
  // A URL may also have been given to the wrong setting.
  const isShown = !isSecret && !String(value).includes('://');
  const problem = isShown ? `is ${JSON.stringify(value)}` : 'has an invalid value';
  return new SettingError(`${shownName} ${problem}`, `Use ${expected}`);
}
