import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { compile } from '@fastify/proxy-addr';
import { levels } from 'pino';
import { parseSecretKeys } from '../../base/encryption/secret-box.ts';
import { normalizeNetwork } from '../../base/networks/networks.ts';
import { parseBackupRetention, parseBackupSchedule } from '../../jobs/backups/backup-schedule.ts';
import { dialectOf } from '../../storage/database-url.ts';
import { parsePostgresUrl } from '../../storage/postgres/connections/postgres-url.ts';
import { parseSender, type Sender } from './sender.ts';

/** A setting of the service: its default, and how its text is read. */
export interface Definition<T> {
  readonly default: T;
  readonly expected: string;
  /** Whether the value may contain a password or a key. */
  readonly isSecret: boolean;
  /** Returns undefined for an invalid value. */
  parse(text: string): T | undefined;
}

/** Each has connections to the database of its own. */
const maxWorkers = 64;

/** By the name of the environment variable. */
export const definitions = {
  GATEHOUSE_DATABASE_URL: secretSetting(
    'sqlite:./data/gatehouse.db',
    'sqlite:<path> or postgres://<user>:<password>@<host>/<name>, with a percent sign and two digits for each special character of the password, such as %40 for @',
    (text) => (isDatabaseUrl(text) ? text : undefined),
  ),
  GATEHOUSE_DATABASE_DIRECT_URL: secretSetting<string | undefined>(
    undefined,
    'postgres://<user>:<password>@<host>/<name>, the same database without a pooler and without prepare=false',
    (text) => (parsePostgresUrl(text)?.prepares ? text : undefined),
  ),
  GATEHOUSE_SECRET_KEY: secretSetting<readonly string[]>(
    [],
    'a key of ./gatehouse secret-key, or the new key and the old one, separated by a comma',
    parseSecretKeys,
  ),
  GATEHOUSE_HOST: setting(
    '127.0.0.1',
    'an IP address or host to listen on',
    (text) => text.trim() || undefined,
  ),
  GATEHOUSE_PORT: setting(8080, 'a port from 0 to 65535', wholeNumber(0, 65_535)),
  GATEHOUSE_PUBLIC_URL: secretSetting<string | undefined>(
    undefined,
    'a URL without a path, such as https://gate.example.org: Gatehouse needs a host of its own, because the links of its pages begin at its root',
    origin,
  ),
  GATEHOUSE_TRUSTED_PROXIES: setting<readonly string[]>(
    [],
    'IP addresses or networks, separated by commas: 10.0.0.0/8,::1',
    networks,
  ),
  GATEHOUSE_ALLOWED_NETWORKS: setting<readonly string[]>(
    [],
    'IP addresses, or networks with their first IP address, separated by commas: 10.0.0.0/8,fd00::1',
    allowedNetworks,
  ),
  GATEHOUSE_NOTION_URL: secretSetting(
    'https://api.notion.com',
    'the URL of the API of Notion, such as https://api.notion.com',
    httpUrl,
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
  GATEHOUSE_STORED_RESPONSES_MEBIBYTES: setting(
    2_048,
    'a whole number of MiB in 24 h up to 200000, 0 for no limit',
    wholeNumber(0, 200_000),
  ),
  GATEHOUSE_REQUEST_TIMEOUT_SECONDS: setting(
    15,
    'a whole number of seconds from 1 to 3600',
    wholeNumber(1, 3_600),
  ),
  GATEHOUSE_DRAIN_SECONDS: setting(0, 'a whole number of seconds from 0 to 600', wholeNumber(0, 600)),
  GATEHOUSE_WORKERS: setting(1, `a whole number from 1 to ${maxWorkers}, or auto for one per core`, workers),
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
  GATEHOUSE_MAIL_FROM: setting<Sender | undefined>(
    undefined,
    'the sender of emails, such as noreply@example.org or Rowing Club <noreply@example.org>',
    parseSender,
  ),
  GATEHOUSE_LOGIN_LIMIT: setting(
    5,
    'a whole number: login links for one email address in 15 minutes, in each known browser and in all others together; 0 for no limit',
    wholeNumber(0, 1_000_000_000),
  ),
  GATEHOUSE_LOGIN_LIMIT_CLIENT: setting(
    300,
    'a whole number: forms sent from one IP address, or by one known browser, in 15 minutes; 0 for no limit',
    wholeNumber(0, 1_000_000_000),
  ),
  GATEHOUSE_OPERATOR_SESSION_IDLE_HOURS: setting(
    12,
    'a whole number of hours from 1 to 4320: when an operator who does nothing is logged out',
    wholeNumber(1, 4_320),
  ),
  GATEHOUSE_OPERATOR_SESSION_DAYS: setting(
    30,
    'a whole number of days from 1 to 180: when an operator has to log in again',
    wholeNumber(1, 180),
  ),
  GATEHOUSE_REQUIRE_PASSKEYS: setting(
    false,
    'true, so that operators have to log in with a passkey, or false',
    (text) => (text === 'true' || text === 'false' ? text === 'true' : undefined),
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
    'the URL of a program, without a path, such as http://127.0.0.1:3000',
    origin,
  ),
  GATEHOUSE_SITE_UPSTREAM_TIMEOUT_SECONDS: setting(
    60,
    'a whole number of seconds from 1 to 3600',
    wholeNumber(1, 3_600),
  ),
  GATEHOUSE_SITE_CONNECTIONS_PER_ADDRESS: setting(
    500,
    'a whole number from 0 (no limit) to 100000',
    wholeNumber(0, 100_000),
  ),
  GATEHOUSE_SITE: setting<string | undefined>(
    undefined,
    'the slug of a site',
    (text) => text.trim() || undefined,
  ),
  GATEHOUSE_SITE_HOST: setting(
    '127.0.0.1',
    'an IP address or host to listen on',
    (text) => text.trim() || undefined,
  ),
  GATEHOUSE_SITE_PORT: setting(8081, 'a port from 0 to 65535', wholeNumber(0, 65_535)),
  GATEHOUSE_METRICS_HOST: setting(
    '127.0.0.1',
    'an IP address or host to listen on',
    (text) => text.trim() || undefined,
  ),
  GATEHOUSE_METRICS_PORT: setting<number | undefined>(
    undefined,
    'a port from 0 to 65535',
    wholeNumber(0, 65_535),
  ),
  GATEHOUSE_METRICS_TOKEN: secretSetting<string | undefined>(
    undefined,
    'a random text of 20 to 200 letters, digits, - and _',
    (text) => (/^[\w-]{20,200}$/.test(text) ? text : undefined),
  ),
  GATEHOUSE_TRACES_URL: secretSetting<string | undefined>(
    undefined,
    'the URL that takes traces by OTLP over HTTP, such as http://127.0.0.1:4318/v1/traces',
    tracesUrl,
  ),
  GATEHOUSE_TRACES_PERCENT: setting(
    100,
    'a whole number: the share of traces, from 0 to 100',
    wholeNumber(0, 100),
  ),
  GATEHOUSE_SLOW_REQUEST_MILLISECONDS: setting(
    1_000,
    'a whole number of milliseconds, 0 to log no slow requests',
    wholeNumber(0, 1_000_000_000),
  ),
  GATEHOUSE_SLOW_STATEMENT_MILLISECONDS: setting(
    500,
    'a whole number of milliseconds, 0 to log no slow statements',
    wholeNumber(0, 1_000_000_000),
  ),
  GATEHOUSE_BACKUP_FOLDER: setting<string | undefined>(undefined, 'the path of a folder', (text) => text),
  GATEHOUSE_BACKUP_SCHEDULE: setting(
    '03:00',
    'a time of the day in UTC such as 03:00, or an interval from 5m to 31d such as 6h',
    (text) => (parseBackupSchedule(text) ? text : undefined),
  ),
  GATEHOUSE_BACKUP_KEEP: setting('14', 'a number of backups such as 14, or of days such as 30d', (text) =>
    parseBackupRetention(text) ? text : undefined,
  ),
  GATEHOUSE_LOG_LEVEL: setting('info', `one of ${Object.values(levels.labels).join(', ')}, silent`, (text) =>
    text in levels.values || text === 'silent' ? text : undefined,
  ),
} as const;

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
    return dialectOf(text) === 'postgres'
      ? parsePostgresUrl(text) !== undefined
      : text.length > 'sqlite:'.length;
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

function workers(text: string): number | undefined {
  const cores = Math.min(availableParallelism(), maxWorkers);
  return text.trim() === 'auto' ? cores : wholeNumber(1, maxWorkers)(text);
}

function httpUrl(text: string): string | undefined {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username) return undefined;
  return url.href.replace(/\/+$/, '');
}

/** An address without a path is that of a collector, which takes traces at this path. */
function tracesUrl(text: string): string | undefined {
  const url = httpUrl(text);
  return url !== undefined && url === new URL(url).origin ? `${url}/v1/traces` : url;
}

/** Only an origin. A path in front of an upstream would change the one that the gate decides on. */
function origin(text: string): string | undefined {
  const url = httpUrl(text);
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

export type SettingName = keyof typeof definitions;
