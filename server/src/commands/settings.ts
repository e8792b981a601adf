import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { OutgoingSettings } from '../base/outgoing/outgoing-url.ts';
import { isThisMachine } from '../base/this-machine.ts';
import type { EmailLimits } from '../domain/emails/email-limits.ts';
import type { WorkspaceSettings } from '../domain/sources/workspaces.ts';
import { parseBackupRetention, parseBackupSchedule } from '../jobs/backups/backup-schedule.ts';
import type { BackupSettings } from '../jobs/backups/backups.ts';
import { allowsPlainSmtp } from '../jobs/email-delivery/smtp-encryption.ts';
import { dialectOf, sqlitePath } from '../storage/database-url.ts';
import { findServiceLinks } from './service-links.ts';
import { type Definition, definitions } from './setting-definitions.ts';
import { findSimilarName } from './similar-name.ts';

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
  /** What the stored replies of one API key may take in 24 h; 0 for no limit. */
  readonly storedRepliesMebibytes: number;
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
 * An invalid setting. The message contains its name and what is expected, and its value only if that cannot contain a
 * password.
 */
export class SettingError extends Error {
  constructor(problem: string, advice: string) {
    super(`${problem}. ${advice}.`);
    this.name = 'SettingError';
  }
}

type Name = keyof typeof definitions;

/** Settings that options of the command line replace. */
export type SettingOptions = { readonly [Each in Name]?: SettingOption };

export interface SettingOption {
  /** As it was entered, such as `--port`. */
  readonly option: string;
  readonly value: string;
}

const settingsFile = 'gatehouse.json';

/** The file that settings are read from, if it exists in the current folder. */
export function findSettingsFile(): string | undefined {
  return existsSync(settingsFile) ? path.resolve(settingsFile) : undefined;
}

/**
 * The file that settings are read from, if it contains a secret and other users of this machine can read it. A file that
 * is not valid JSON has been reported before.
 */
export function findExposedSettings(): string | undefined {
  const file = findSettingsFile();
  if (file === undefined || (statSync(file).mode & 0o077) === 0) return undefined;
  const isSecret = (key: string, value: unknown) =>
    (Object.keys(definitions) as Name[]).some((name) => keyInFile(name) === key && mayBeSecret(name, value));
  return Object.entries(readFile(file)).some(([key, value]) => isSecret(key, value)) ? file : undefined;
}

/** Whether a value contains a password, a key or a token. Of a URL, only its password is one. */
function mayBeSecret(name: Name, value: unknown): boolean {
  if (!definitions[name].isSecret || value === null || value === '') return false;
  const text = String(value);
  return !text.includes('://') ? !text.startsWith('sqlite:') : /:\/\/[^/?#]*:[^/?#]*@/.test(text);
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

/** The options that were given, from the value of each. */
export function givenOptions(
  values: {
    readonly [Each in Name]?: readonly [option: string, value: string | undefined];
  },
): SettingOptions {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, [option, value]]) =>
      value === undefined ? [] : [[name, { option, value }]],
    ),
  );
}

type ValueOf = <N extends Name>(name: N) => (typeof definitions)[N]['default'];

/** A value as it was entered, and the name under which it was. */
interface Given {
  readonly shownName: string;
  readonly raw: unknown;
}

/** @throws {SettingError} for a name that is not a setting */
function findGiven(
  environment: NodeJS.ProcessEnv,
  file: string,
  options: SettingOptions,
): (name: Name) => Given {
  const written = readFile(file);
  const links = new Set(findServiceLinks(environment));
  rejectUnknown(environment, links);
  return (name) => {
    const option = options[name];
    if (option !== undefined) return { shownName: option.option, raw: option.value };
    if (environment[name] !== undefined && !links.has(name))
      return { shownName: name, raw: environment[name] };
    const key = keyInFile(name);
    const raw = written[key];
    if (raw === undefined) return { shownName: name, raw };
    return { shownName: `${key} in ${file}`, raw: Array.isArray(raw) ? raw.join(',') : raw };
  };
}

function limitSettings(value: ValueOf) {
  return {
    rateLimit: value('GATEHOUSE_RATE_LIMIT'),
    rateLimitUnauthenticated: value('GATEHOUSE_RATE_LIMIT_UNAUTHENTICATED'),
    storedRepliesMebibytes: value('GATEHOUSE_STORED_REPLIES_MEBIBYTES'),
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

/** Checks settings that depend on each other. @throws {SettingError} */
function checkTogether(value: (name: Name) => unknown, shownName: (name: Name) => string): void {
  if (value('GATEHOUSE_SMTP_URL') !== undefined && value('GATEHOUSE_MAIL_FROM') === undefined) {
    throw new SettingError(
      'GATEHOUSE_MAIL_FROM is missing',
      'Set it to the sender address of emails, because GATEHOUSE_SMTP_URL is set',
    );
  }
  if (
    value('GATEHOUSE_DATABASE_DIRECT_URL') !== undefined &&
    dialectOf(String(value('GATEHOUSE_DATABASE_URL'))) === 'sqlite'
  ) {
    throw new SettingError(
      'GATEHOUSE_DATABASE_DIRECT_URL is set, but GATEHOUSE_DATABASE_URL is a file',
      'Set GATEHOUSE_DATABASE_URL to the pooler, or remove GATEHOUSE_DATABASE_DIRECT_URL',
    );
  }
  if (value('GATEHOUSE_SITE_FOLDER') !== undefined && value('GATEHOUSE_SITE_UPSTREAM') !== undefined) {
    throw new SettingError(
      `${shownName('GATEHOUSE_SITE_FOLDER')} and ${shownName('GATEHOUSE_SITE_UPSTREAM')} are both set`,
      'Set only one of them: a site is a folder or a program',
    );
  }
  const workers = value('GATEHOUSE_WORKERS');
  const isPostgres = dialectOf(String(value('GATEHOUSE_DATABASE_URL'))) === 'postgres';
  if (workers !== 1 && !isPostgres) {
    throw new SettingError(
      `${shownName('GATEHOUSE_WORKERS')} is ${workers}, but several workers need PostgreSQL and the database is SQLite`,
      'Set GATEHOUSE_DATABASE_URL to postgres://<user>@<host>/<name>, or remove the number of workers',
    );
  }
  checkSmtp(value('GATEHOUSE_SMTP_URL') as string | undefined);
  checkMetrics(value);
  if (value('GATEHOUSE_BACKUP_FOLDER') !== undefined && isPostgres) {
    throw new SettingError(
      'GATEHOUSE_BACKUP_FOLDER is set, and PostgreSQL makes its own backups',
      'Remove it, and follow docs/operations/backup.md',
    );
  }
}

/** @throws {SettingError} */
function checkSmtp(smtpUrl: string | undefined): void {
  if (smtpUrl === undefined || !allowsPlainSmtp(smtpUrl)) return;
  const { password, hostname } = new URL(smtpUrl);
  if (password === '' || isThisMachine(hostname)) return;
  throw new SettingError(
    'GATEHOUSE_SMTP_URL has a password and turns off TLS, so that others in the network could read the password',
    'Remove ignoreTLS or requireTLS, or use a mail server that needs no password',
  );
}

/** A request to the common port leads to any of the workers, and each has its own numbers. @throws {SettingError} */
function checkMetrics(value: (name: Name) => unknown): void {
  const port = value('GATEHOUSE_METRICS_PORT') as number | undefined;
  const workers = value('GATEHOUSE_WORKERS') as number;
  if (workers === 1) return;
  if (port === undefined && value('GATEHOUSE_METRICS_TOKEN') !== undefined) {
    throw new SettingError(
      'GATEHOUSE_METRICS_TOKEN is set without GATEHOUSE_METRICS_PORT, and there are several workers',
      'Set GATEHOUSE_METRICS_PORT to the first of as many free ports: each worker has its metrics at one of them',
    );
  }
  if (port !== undefined && port + workers - 1 > 65_535) {
    throw new SettingError(
      `GATEHOUSE_METRICS_PORT is ${port}, which leaves too few ports for ${workers} workers`,
      `Use a port of at most ${65_536 - workers}`,
    );
  }
}

function absolutePath(folder: string | undefined): string | undefined {
  return folder === undefined ? undefined : path.resolve(folder);
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

/** What requests to addresses that somebody else chose may reach. */
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

function invalidValue(name: Name, shownName: string, value: unknown): SettingError {
  const { expected, isSecret } = definitions[name];
  // A URL may also have been given to the wrong setting.
  const isShown = !isSecret && !String(value).includes('://');
  const problem = isShown ? `is ${JSON.stringify(value)}` : 'has an invalid value';
  return new SettingError(`${shownName} ${problem}`, `Use ${expected}`);
}

function readFile(file: string): Record<string, unknown> {
  if (!existsSync(file)) return {};
  const content = parseFile(file);
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    throw new SettingError(`${file} is not an object of settings`, 'Use an object such as {"port": 8080}');
  }
  const known = (Object.keys(definitions) as Name[]).map(keyInFile);
  for (const key of Object.keys(content)) {
    if (!known.includes(key)) throw unknownName(`${key} in ${file}`, key, known);
  }
  return content as Record<string, unknown>;
}

/** The message of the parser is not shown, because it quotes the file, which may contain passwords. */
function parseFile(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const [place = ''] = / \(line \d+ column \d+\)$/.exec(error.message) ?? [];
    throw new SettingError(
      `${file} is not valid JSON${place}`,
      'Check its quotation marks, commas and braces',
    );
  }
}

/** A misspelt name must not silently leave a setting at its default. Names of other programs are ignored. */
function rejectUnknown(environment: NodeJS.ProcessEnv, links: ReadonlySet<string>): void {
  for (const name of Object.keys(environment)) {
    const isOther = !name.startsWith('GATEHOUSE_') || otherNames.test(name) || links.has(name);
    if (isOther || name in definitions) continue;
    throw unknownName(name, name, Object.keys(definitions));
  }
}

function unknownName(shown: string, name: string, known: readonly string[]): SettingError {
  const similar = findSimilarName(name, known);
  const advice =
    similar === undefined ? `Use one of ${known.join(', ')}` : `Did you mean ${similar}? If not, remove it`;
  return new SettingError(`${shown} is not a setting`, advice);
}

/** Read by the client, the command line and the tests. */
const otherNames = /^GATEHOUSE_(URL|KEY|TEST_.*)$/;

/** `GATEHOUSE_RATE_LIMIT` → `rateLimit`. */
function keyInFile(name: Name): string {
  return name
    .slice('GATEHOUSE_'.length)
    .toLowerCase()
    .replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}
