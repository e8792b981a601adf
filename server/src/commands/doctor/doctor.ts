import { existsSync } from 'node:fs';
import type { AccessRule, Site } from '@gatehouse/contract';
import type { Command } from 'commander';
import { describeFailure } from '../../app/describe-failure.ts';
import { CommandFailure } from '../../app/failure.ts';
import { findService, findSettings, type ServiceState } from '../../app/service-state.ts';
import { backupSettings } from '../../app/settings/service-settings.ts';
import { readSettings, type Settings, secretFields } from '../../app/settings/settings.ts';
import { commit, version, versionAndCommit } from '../../base/version.ts';
import { findAccessRules } from '../../domain/access-rules/access-rules.ts';
import { listSites } from '../../domain/sites/sites.ts';
import type { Database } from '../../storage/database.ts';
import { dialectOf, sqlitePath } from '../../storage/database-url.ts';
import { withoutSecrets } from '../database/database-url.ts';
import { addCommand, type CommonOptions } from '../shared/add-command.ts';
import { print } from '../shared/output.ts';
import { openForCommand, requireSite } from '../shared/store.ts';
import { type Check, fail, ok, warn } from './checks/check.ts';
import { checkConnections } from './checks/connection-check.ts';
import { checkBackups } from './checks/database/backup-check.ts';
import { checkConsistency } from './checks/database/consistency-checks.ts';
import { checkIds } from './checks/database/ids-check.ts';
import { checkMigrations } from './checks/database/migration-check.ts';
import { checkPostgres } from './checks/database/postgres-checks.ts';
import { checkSqlite } from './checks/database/sqlite-checks.ts';
import { checkDomain } from './checks/domain-checks.ts';
import { checkEmail, sendTestEmail } from './checks/email-checks.ts';
import { checkMetrics } from './checks/metrics-check.ts';
import { checkPublicRoot } from './checks/public-root-check.ts';
import { checkSecrets } from './checks/secret-checks.ts';
import { checkServer } from './checks/server-check.ts';
import { checkDashboardHost, checkEncryption, checkSettingsFile } from './checks/settings-checks.ts';

/** Each takes a few seconds at most if nothing responds. */
const maxDomains = 50;
const domainsAtOnce = 10;

interface DoctorOptions extends CommonOptions {
  readonly testEmail?: string;
  readonly site?: string;
}

export function addDoctorCommand(program: Command): void {
  addCommand(program, 'doctor', 'check the settings, the database and the service for problems', [
    'doctor',
    'doctor --test-email you@example.org',
  ])
    .option('--test-email <address>', 'send a test email to this email address')
    .option('--site <slug>', 'check only the domain of this site')
    .addHelpText(
      'after',
      '\nIf a service is running on the database, doctor checks its settings instead of those of this shell.',
    )
    .action(doctor);
}

async function doctor({ json, testEmail, site }: DoctorOptions): Promise<void> {
  const own = readSettings(process.env);
  // No database is named: then doctor looks for any running service.
  const isUnknown =
    own.databaseUrl === readSettings({}, '').databaseUrl && !existsSync(sqlitePath(own.databaseUrl));
  const service = findService(own, !isUnknown);
  const serviceSettings = service && (await findSettings(service));
  const settings = serviceSettings ?? own;
  const store = await checkStore(settings, site);
  const checks = [
    describeVersion(service),
    describeSource(service, serviceSettings !== undefined),
    ...checkSettingsFile(),
    ...store.checks,
    ...(await Promise.all([
      checkServer(settings.publicUrl),
      checkEmail(settings),
      ...(testEmail === undefined ? [] : [sendTestEmail(settings, testEmail)]),
    ])),
    checkEncryption(settings),
    ...checkIds(settings.databaseUrl, new Date()),
    ...checkMetrics(settings),
    ...store.sites.flatMap(({ site, rules }) => checkPublicRoot(site, rules, settings)),
    ...(await checkDomains(store.sites, service)),
  ];
  const failed = checks.some(({ status }) => status === 'failed');
  const shown = masked(settings);
  const running = service && {
    pid: service.pid,
    version: service.version,
    address: service.address,
    startedAt: service.startedAt,
  };
  print(
    json,
    { ok: !failed, version, commit: commit ?? null, checks, service: running ?? null, settings: shown },
    `${settingLines(shown)}\n\n${checkLines(checks)}`,
  );
  if (failed) process.exitCode = 1;
}

function describeVersion(service: ServiceState | undefined): Check {
  const own = `Gatehouse ${versionAndCommit} on Node.js ${process.versions.node}`;
  const isOther = service !== undefined && service.version !== versionAndCommit;
  return ok('version', isOther ? `${own}; the running service is ${service.version}` : own);
}

function describeSource(service: ServiceState | undefined, hasResponded: boolean): Check {
  if (service) {
    const { pid, startedAt, address } = service;
    if (!hasResponded) {
      return warn(
        'settings',
        `from this shell and gatehouse.json, because the service (process ID ${pid}) does not respond at ${address}`,
        'Check its log, and restart it.',
      );
    }
    return ok('settings', `from the running service (process ID ${pid}, since ${startedAt})`);
  }
  return warn(
    'settings',
    'from this shell and gatehouse.json, because no service is running on this database',
    'Start it with ./gatehouse serve. If it uses another database, set GATEHOUSE_DATABASE_URL.',
  );
}

interface ProtectedSite {
  readonly site: Site;
  readonly rules: readonly AccessRule[];
}

async function checkDomains(
  sites: readonly ProtectedSite[],
  service: ServiceState | undefined,
): Promise<Check[]> {
  const checks: Check[] = [];
  const some = sites.slice(0, maxDomains);
  for (let from = 0; from < some.length; from += domainsAtOnce) {
    const found = some.slice(from, from + domainsAtOnce);
    checks.push(
      ...(await Promise.all(found.map(({ site, rules }) => checkDomain(site, rules, service)))).flat(),
    );
  }
  if (some.length < sites.length) {
    const advice = 'Check another one with --site <slug>.';
    checks.push(warn('domain', `only the first ${maxDomains} of ${sites.length} sites were checked`, advice));
  }
  return checks;
}

async function checkStore(
  settings: Settings,
  slug: string | undefined,
): Promise<{ checks: Check[]; sites: readonly ProtectedSite[] }> {
  const { databaseUrl } = settings;
  const shown = withoutSecrets(databaseUrl);
  if (dialectOf(databaseUrl) === 'sqlite' && !existsSync(sqlitePath(databaseUrl))) {
    const advice = 'Start the service, which creates it.';
    return { checks: [warn('database', `no file ${sqlitePath(databaseUrl)} yet`, advice)], sites: [] };
  }
  const checks: Check[] = [];
  const sites: ProtectedSite[] = [];
  let database: Database | undefined;
  try {
    database = await openForCommand(settings, { readOnly: true });
    const migrations = await checkMigrations(database);
    checks.push(ok('database', `open: ${shown}`), migrations);
    checks.push(
      ...(database.dialect === 'sqlite'
        ? await checkSqlite(database, sqlitePath(databaseUrl))
        : await checkPostgres(database, settings)),
    );
    if (database.dialect === 'postgres') checks.push(await checkConnections(database, settings));
    // Tables of another version cannot be checked.
    if (migrations.status === 'ok') {
      checks.push(...(await checkConsistency(database)), ...(await checkSecrets(database, settings)));
      const now = new Date().toISOString();
      checks.push(...(await checkBackups(database, backupSettings(settings), now)));
      checks.push(...(await checkDashboardHost(database, settings.publicUrl)));
      for (const site of slug === undefined
        ? await listSites(database)
        : [await requireSite(database, slug)]) {
        sites.push({ site, rules: (await findAccessRules({ db: database, siteId: site.id })).rules });
      }
    }
  } catch (error) {
    if (error instanceof CommandFailure) throw error;
    const { message } = describeFailure(error);
    checks.push(fail('database', `cannot be used: ${shown}`, message));
  } finally {
    await database?.close();
  }
  return { checks, sites };
}

function masked(settings: Settings): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => {
      if (typeof value === 'string' && /^sqlite:|:\/\//.test(value)) return [name, withoutSecrets(value)];
      if (secretFields.has(name)) return [name, value?.length ? '***' : null];
      return [name, value ?? null];
    }),
  );
}

function settingLines(settings: Record<string, unknown>): string {
  const width = Math.max(...Object.keys(settings).map((name) => name.length));
  return Object.entries(settings)
    .map(([name, value]) => `  ${name.padEnd(width)}  ${textOf(value)}`)
    .join('\n');
}

function textOf(value: unknown): string {
  if (value === null || (Array.isArray(value) && value.length === 0)) return '-';
  if (Array.isArray(value)) return value.join(', ');
  if (typeof value !== 'object') return String(value);
  const entries = Object.entries(value as object).map(([name, each]) => `${name} ${each}`);
  return entries.join(', ') || '-';
}

function checkLines(checks: readonly Check[]): string {
  const nameOf = ({ check, site }: Check) => (site === undefined ? check : `${check} (${site})`);
  const width = Math.max(...checks.map((check) => nameOf(check).length));
  return checks
    .map((check) => {
      const { status, advice } = check;
      // The message may contain text from outside: a response, a certificate, a name.
      const message = check.message.replace(/[\p{Cc}\p{Cf}]/gu, '\ufffd');
      const line = `${status.padEnd(7)}  ${nameOf(check).padEnd(width)}  ${message}`;
      return advice === undefined ? line : `${line}\n${' '.repeat(width + 11)}→ ${advice}`;
    })
    .join('\n');
}
