import { existsSync, readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import path from 'node:path';
import { compile } from '@fastify/proxy-addr';
import { normalizeEmail } from '@gatehouse/contract/email-address';
import { levels } from 'pino';
import { normalizeNetwork } from '../base/networks.ts';
import type { OutgoingSettings } from '../base/outgoing/outgoing-url.ts';
import { parseSecretKeys } from '../base/secret-box.ts';
import type { EmailLimits } from '../domain/emails/email-limits.ts';
import type { WorkspaceSettings } from '../domain/sources/workspaces.ts';
import { dialectOf } from '../storage/database-url.ts';
import { findSimilarName } from './similar-name.ts';

/**
 * The settings of an operator. Each is the environment variable of that name, or its camel-case key in
 * gatehouse.json.
 */
export interface Settings {
  readonly databaseUrl: string;
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
  readonly requestTimeoutSeconds: number;
  readonly eventRetentionDays: number;
  readonly purgeIntervalSeconds: number;
  readonly databasePoolSize: number;
  readonly logLevel: string;
  readonly smtpUrl: string | undefined;
  readonly mailFrom: string | undefined;
  readonly loginLimit: number;
  readonly loginLimitClient: number;
  readonly emailLimits: EmailLimits;
  readonly gateWithoutStore: 'denied' | 'public';
  /** The folder of the site that this process serves, as entered. */
  readonly siteFolder: string | undefined;
  /** The origin of the program of that site. */
  readonly siteUpstream: string | undefined;
  readonly siteUpstreamTimeoutSeconds: number;
  /** The slug of that site; undefined for the only site. */
  readonly site: string | undefined;
  readonly siteHost: string;
  readonly sitePort: number;
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

interface Definition<T> {
  readonly default: T;
  readonly expected: string;
  /** Whether the value may contain a password or a key. */
  readonly isSecret: boolean;
  /** Returns undefined for an invalid value. */
  parse(text: string): T | undefined;
}

const definitions = {
  GATEHOUSE_DATABASE_URL: secretSetting(
    'sqlite:./data/gatehouse.db',
    'sqlite:<path> or postgres://<user>@<host>/<name>',
    (text) => (isDatabaseUrl(text) ? text : undefined),
  ),
  GATEHOUSE_SECRET_KEY: secretSetting<readonly string[]>(
    [],
    'a key of ./gatehouse secret-key, or the new key and the old one, separated by a comma',
    parseSecretKeys,
  ),
  GATEHOUSE_HOST: setting(
    '127.0.0.1',
    'an address or host name to listen on',
    (text) => text.trim() || undefined,
  ),
  GATEHOUSE_PORT: setting(8080, 'a port from 0 to 65535', wholeNumber(0, 65_535)),
  GATEHOUSE_PUBLIC_URL: secretSetting<string | undefined>(
    undefined,
    'an address such as https://gate.example.org',
    publicUrl,
  ),
  GATEHOUSE_TRUSTED_PROXIES: setting<readonly string[]>(
    [],
    'addresses or networks, separated by commas: 10.0.0.0/8,::1',
    networks,
  ),
  GATEHOUSE_ALLOWED_NETWORKS: setting<readonly string[]>(
    [],
    'addresses, or networks with their first address, separated by commas: 10.0.0.0/8,fd00::1',
    allowedNetworks,
  ),
  GATEHOUSE_NOTION_URL: secretSetting(
    'https://api.notion.com',
    'the address of the API of Notion, such as https://api.notion.com',
    publicUrl,
  ),
  GATEHOUSE_REDIS_URL: secretSetting<string | undefined>(undefined, 'redis://<host>:<port>', (text) =>
    /^rediss?:\/\/[^/]/.test(text) ? text : undefined,
  ),
  GATEHOUSE_RATE_LIMIT: setting(
    1_000,
    'a whole number: requests in 60 s, 0 for no limit',
    wholeNumber(0, 1_000_000_000),
  ),
  GATEHOUSE_RATE_LIMIT_UNAUTHENTICATED: setting(
    60,
    'a whole number: requests in 60 s, 0 for no limit',
    wholeNumber(0, 1_000_000_000),
  ),
  GATEHOUSE_REQUEST_TIMEOUT_SECONDS: setting(
    15,
    'a whole number of seconds from 1 to 3600',
    wholeNumber(1, 3_600),
  ),
  GATEHOUSE_EVENT_RETENTION_DAYS: setting(90, 'a whole number of days from 1 to 3650', wholeNumber(1, 3_650)),
  GATEHOUSE_PURGE_INTERVAL_SECONDS: setting(
    60,
    'a whole number of seconds from 1 to 3600',
    wholeNumber(1, 3_600),
  ),
  GATEHOUSE_DATABASE_POOL_SIZE: setting(
    10,
    'a whole number of connections from 2 to 1000',
    wholeNumber(2, 1_000),
  ),
  GATEHOUSE_SMTP_URL: secretSetting<string | undefined>(
    undefined,
    'smtp://user:password@host:587 or smtps://user:password@host',
    (text) => (/^smtps?:\/\/[^/]/.test(text) && URL.canParse(text) ? text : undefined),
  ),
  GATEHOUSE_MAIL_FROM: setting<string | undefined>(
    undefined,
    'the sender address of emails, such as noreply@example.org',
    (text) => normalizeEmail(text) ?? undefined,
  ),
  GATEHOUSE_LOGIN_LIMIT: setting(
    5,
    'a whole number: login links for one email address in 15 minutes, in each known browser and in all others together; 0 for no limit',
    wholeNumber(0, 1_000_000_000),
  ),
  GATEHOUSE_LOGIN_LIMIT_CLIENT: setting(
    300,
    'a whole number: forms sent from one client address, or by one known browser, in 15 minutes; 0 for no limit',
    wholeNumber(0, 1_000_000_000),
  ),
  GATEHOUSE_EMAIL_LIMIT_MAILBOX: emailLimit(20, 'emails of one kind to one mailbox'),
  GATEHOUSE_EMAIL_LIMIT_SENDER: emailLimit(10, 'emails of one kind from one sender to one person'),
  GATEHOUSE_EMAIL_LIMIT_SIGN_UP: emailLimit(1_000, 'emails to people who are not members yet'),
  GATEHOUSE_EMAIL_LIMIT_SIGN_UP_MAILBOX: emailLimit(
    5,
    'emails to one mailbox of a person who is not a member yet',
  ),
  GATEHOUSE_GATE_WITHOUT_STORE: setting<'denied' | 'public'>(
    'denied',
    'denied, or public to allow public paths while the store is unavailable',
    (text) => (text === 'denied' || text === 'public' ? text : undefined),
  ),
  GATEHOUSE_SITE_FOLDER: setting<string | undefined>(undefined, 'the path of a folder', (text) => text),
  GATEHOUSE_SITE_UPSTREAM: secretSetting<string | undefined>(
    undefined,
    'the address of a program, without a path, such as http://127.0.0.1:3000',
    upstream,
  ),
  GATEHOUSE_SITE_UPSTREAM_TIMEOUT_SECONDS: setting(
    60,
    'a whole number of seconds from 1 to 3600',
    wholeNumber(1, 3_600),
  ),
  GATEHOUSE_SITE: setting<string | undefined>(
    undefined,
    'the slug of a site',
    (text) => text.trim() || undefined,
  ),
  GATEHOUSE_SITE_HOST: setting(
    '127.0.0.1',
    'an address or host name to listen on',
    (text) => text.trim() || undefined,
  ),
  GATEHOUSE_SITE_PORT: setting(8081, 'a port from 0 to 65535', wholeNumber(0, 65_535)),
  GATEHOUSE_LOG_LEVEL: setting('info', `one of ${Object.values(levels.labels).join(', ')}, silent`, (text) =>
    text in levels.values || text === 'silent' ? text : undefined,
  ),
} as const;

type Name = keyof typeof definitions;

const settingsFile = 'gatehouse.json';

/** The file that settings are read from, if it exists in the current folder. */
export function findSettingsFile(): string | undefined {
  return existsSync(settingsFile) ? path.resolve(settingsFile) : undefined;
}

/**
 * Reads the settings: the environment first, then gatehouse.json, then the defaults.
 * @throws {SettingError}
 */
export function readSettings(environment: NodeJS.ProcessEnv, file = settingsFile): Settings {
  const written = readFile(file);
  rejectUnknown(environment);

  const value = <N extends Name>(name: N): (typeof definitions)[N]['default'] => {
    const definition: Definition<unknown> = definitions[name];
    const fromFile = written[keyInFile(name)];
    const raw = environment[name] ?? (Array.isArray(fromFile) ? fromFile.join(',') : fromFile);
    if (raw === undefined || raw === null || raw === '') return definition.default as never;
    const parsed = definition.parse(String(raw));
    if (parsed === undefined) throw invalidValue(name, raw);
    return parsed as never;
  };
  checkTogether(value);
  const port = value('GATEHOUSE_PORT');
  return {
    databaseUrl: value('GATEHOUSE_DATABASE_URL'),
    secretKeys: value('GATEHOUSE_SECRET_KEY'),
    host: value('GATEHOUSE_HOST'),
    port,
    publicUrl: value('GATEHOUSE_PUBLIC_URL') ?? `http://localhost:${port}`,
    trustedProxies: value('GATEHOUSE_TRUSTED_PROXIES'),
    allowedNetworks: value('GATEHOUSE_ALLOWED_NETWORKS'),
    notionUrl: value('GATEHOUSE_NOTION_URL'),
    redisUrl: value('GATEHOUSE_REDIS_URL'),
    rateLimit: value('GATEHOUSE_RATE_LIMIT'),
    rateLimitUnauthenticated: value('GATEHOUSE_RATE_LIMIT_UNAUTHENTICATED'),
    requestTimeoutSeconds: value('GATEHOUSE_REQUEST_TIMEOUT_SECONDS'),
    eventRetentionDays: value('GATEHOUSE_EVENT_RETENTION_DAYS'),
    purgeIntervalSeconds: value('GATEHOUSE_PURGE_INTERVAL_SECONDS'),
    databasePoolSize: value('GATEHOUSE_DATABASE_POOL_SIZE'),
    logLevel: value('GATEHOUSE_LOG_LEVEL'),
    smtpUrl: value('GATEHOUSE_SMTP_URL'),
    mailFrom: value('GATEHOUSE_MAIL_FROM'),
    loginLimit: value('GATEHOUSE_LOGIN_LIMIT'),
    loginLimitClient: value('GATEHOUSE_LOGIN_LIMIT_CLIENT'),
    emailLimits: {
      mailbox: value('GATEHOUSE_EMAIL_LIMIT_MAILBOX'),
      sender: value('GATEHOUSE_EMAIL_LIMIT_SENDER'),
      signUp: value('GATEHOUSE_EMAIL_LIMIT_SIGN_UP'),
      signUpMailbox: value('GATEHOUSE_EMAIL_LIMIT_SIGN_UP_MAILBOX'),
    },
    gateWithoutStore: value('GATEHOUSE_GATE_WITHOUT_STORE'),
    siteFolder: value('GATEHOUSE_SITE_FOLDER'),
    siteUpstream: value('GATEHOUSE_SITE_UPSTREAM'),
    siteUpstreamTimeoutSeconds: value('GATEHOUSE_SITE_UPSTREAM_TIMEOUT_SECONDS'),
    site: value('GATEHOUSE_SITE'),
    siteHost: value('GATEHOUSE_SITE_HOST'),
    sitePort: value('GATEHOUSE_SITE_PORT'),
  };
}

/** Checks settings that depend on each other. @throws {SettingError} */
function checkTogether(value: (name: Name) => unknown): void {
  if (value('GATEHOUSE_SMTP_URL') !== undefined && value('GATEHOUSE_MAIL_FROM') === undefined) {
    throw new SettingError(
      'GATEHOUSE_MAIL_FROM is missing',
      'Set it to the sender address of emails, because GATEHOUSE_SMTP_URL is set',
    );
  }
  if (value('GATEHOUSE_SITE_FOLDER') !== undefined && value('GATEHOUSE_SITE_UPSTREAM') !== undefined) {
    throw new SettingError(
      'GATEHOUSE_SITE_FOLDER and GATEHOUSE_SITE_UPSTREAM are both set',
      'Set only one of them: a site is a folder or a program',
    );
  }
}

/** What requests to addresses that somebody else chose may reach. */
export function outgoingSettings({ allowedNetworks, publicUrl }: Settings): OutgoingSettings {
  const { protocol, hostname } = new URL(publicUrl);
  // At such a URL, only this machine can open Gatehouse: it is being tried out or developed.
  return { allowedNetworks, allowsHttp: protocol === 'http:' && loopback.test(hostname) };
}

/** What is needed to read external workspaces. */
export function workspaceSettings(settings: Settings): WorkspaceSettings {
  return {
    outgoing: outgoingSettings(settings),
    notionUrl: settings.notionUrl,
    secretKeys: settings.secretKeys,
  };
}

/** A host as `URL` normalizes it. */
const loopback = /^(?:(?:.+\.)?localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

function invalidValue(name: Name, value: unknown): SettingError {
  const { expected, isSecret } = definitions[name];
  // A URL may also have been given to the wrong setting.
  const isShown = !isSecret && !String(value).includes('://');
  const problem = isShown ? `is ${JSON.stringify(value)}` : 'has an invalid value';
  return new SettingError(`${name} ${problem}`, `Use ${expected}`);
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
function rejectUnknown(environment: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(environment)) {
    if (!name.startsWith('GATEHOUSE_') || name in definitions || otherNames.test(name)) continue;
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

function setting<T>(value: T, expected: string, parse: (text: string) => T | undefined): Definition<T> {
  return { default: value, expected, isSecret: false, parse };
}

function secretSetting<T>(value: T, expected: string, parse: (text: string) => T | undefined): Definition<T> {
  return { ...setting(value, expected, parse), isSecret: true };
}

function emailLimit(value: number, what: string): Definition<number> {
  return setting(value, `a whole number: ${what} in an hour, 0 for no limit`, wholeNumber(0, 1_000_000_000));
}

function isDatabaseUrl(text: string): boolean {
  try {
    return dialectOf(text) === 'postgres' ? URL.canParse(text) : text.length > 'sqlite:'.length;
  } catch {
    return false;
  }
}

function wholeNumber(min: number, max: number): (text: string) => number | undefined {
  return (text) => {
    const number = /^\d{1,10}$/.test(text.trim()) ? Number(text) : Number.NaN;
    return number >= min && number <= max ? number : undefined;
  };
}

function publicUrl(text: string): string | undefined {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username) return undefined;
  return url.href.replace(/\/+$/, '');
}

/** Only an origin: a path would change the one that the gate decides on. */
function upstream(text: string): string | undefined {
  const url = publicUrl(text);
  return url !== undefined && url === new URL(url).origin ? url : undefined;
}

function networks(text: string): readonly string[] | undefined {
  const list = listOf(text);
  return list.every(isNetwork) ? list : undefined;
}

function allowedNetworks(text: string): readonly string[] | undefined {
  const list = listOf(text).map(normalizeNetwork);
  return list.every((network) => network !== undefined) ? list : undefined;
}

function listOf(text: string): string[] {
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}

function isNetwork(text: string): boolean {
  const [address = '', bits = '1', ...rest] = text.split('/');
  // An address with a zone (RFC 4007, section 11) is useless across machines: `fe80::1%eth0`.
  if (isIP(address) === 0 || address.includes('%') || !/^\d+$/.test(bits) || rest.length > 0) return false;
  try {
    compile(text);
    return true;
  } catch {
    return false;
  }
}
