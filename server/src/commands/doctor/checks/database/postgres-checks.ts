import sql from 'sql-template-tag';
import type { Settings } from '../../../../app/settings/settings.ts';
import type { Queries } from '../../../../storage/database.ts';
import { parsePostgresUrl } from '../../../../storage/postgres/connections/postgres-url.ts';
import { inspectHosts } from '../../../../storage/postgres/postgres-database.ts';
import { type Check, fail, ok, warn } from '../check.ts';
import { checkCitus } from './citus-check.ts';

const oldestSupported = 15;
const extensions = ['pg_trgm', 'btree_gin'];
const warningSeconds = 2;
const failureSeconds = 60;

/** Checks that apply only to PostgreSQL. */
export async function checkPostgres(db: Queries, settings: Settings): Promise<Check[]> {
  return [
    await checkHosts(settings),
    checkSignals(settings),
    await checkVersion(db),
    await checkExtensions(db),
    await checkDurability(db),
    await checkServerClock(db),
    ...(await checkCitus(db)),
  ];
}

/** Whether the service finds the primary, and after a failover another one. */
async function checkHosts({ databaseUrl }: Settings): Promise<Check> {
  const hosts = await inspectHosts(databaseUrl);
  const words = { primary: 'is the primary', standby: 'is a standby' };
  const found = hosts
    .map(({ host, ...state }) =>
      state.role === 'unusable' ? `${host}: ${state.reason}` : `${host} ${words[state.role]}`,
    )
    .join('; ');
  if (!hosts.some(({ role }) => role === 'primary')) {
    const advice = 'Check GATEHOUSE_DATABASE_URL, and that the database, and a pooler before it, is running.';
    return fail('primary', found, advice);
  }
  return hosts.every(({ role }) => role !== 'unusable')
    ? ok('primary', found)
    : warn('primary', found, 'Start this host, or remove it from GATEHOUSE_DATABASE_URL.');
}

/** How the service notices what other processes have changed. */
function checkSignals({ databaseUrl, databaseDirectUrl }: Settings): Check {
  if (databaseDirectUrl !== undefined) return ok('signals', 'through GATEHOUSE_DATABASE_DIRECT_URL');
  return parsePostgresUrl(databaseUrl)?.prepares
    ? ok('signals', 'through GATEHOUSE_DATABASE_URL')
    : ok('signals', 'replaced by polling: changes of other processes are noticed within half a second');
}

async function checkVersion(db: Queries): Promise<Check> {
  const { version } = (await db.get<{ version: string }>(
    sql`SELECT current_setting('server_version') AS version`,
  ))!;
  return Number.parseInt(version, 10) >= oldestSupported
    ? ok('server', `PostgreSQL ${version}`)
    : fail('server', `PostgreSQL ${version}`, `Upgrade to PostgreSQL ${oldestSupported} or later.`);
}

async function checkExtensions(db: Queries): Promise<Check> {
  const rows = await db.all<{ name: string; version: string }>(
    sql`SELECT extname AS name, extversion AS version FROM pg_extension ORDER BY extname`,
  );
  const present = rows.filter(({ name }) => extensions.includes(name));
  const missing = extensions.filter((name) => !rows.some((row) => row.name === name));
  return missing.length === 0
    ? ok('extensions', present.map(({ name, version }) => `${name} ${version}`).join(', '))
    : fail(
        'extensions',
        `missing: ${missing.join(', ')}`,
        `Run as a superuser: ${missing.map((name) => `CREATE EXTENSION ${name};`).join(' ')}`,
      );
}

async function checkDurability(db: Queries): Promise<Check> {
  const settings = ['fsync', 'full_page_writes', 'synchronous_commit'];
  const rows = await db.all<{ name: string; setting: string }>(sql`
    SELECT name, setting FROM pg_settings
    WHERE name = ${settings[0]} OR name = ${settings[1]} OR name = ${settings[2]} ORDER BY name`);
  const off = rows.filter(({ setting }) => setting === 'off').map(({ name }) => name);
  return off.length === 0
    ? ok('durability', rows.map(({ name, setting }) => `${name} ${setting}`).join(', '))
    : warn(
        'durability',
        `${off.join(', ')} off: a power failure could lose acknowledged changes`,
        'Turn it on in postgresql.conf.',
      );
}

async function checkServerClock(db: Queries): Promise<Check> {
  const { now } = (await db.get<{ now: string }>(sql`SELECT now() AS now`))!;
  const seconds = Math.abs(Date.now() - Date.parse(now)) / 1_000;
  const found = `${seconds.toFixed(1)} s between this machine and the database`;
  if (seconds <= warningSeconds) return ok('clocks', found);
  const advice = 'Synchronize both clocks with NTP.';
  return seconds <= failureSeconds ? warn('clocks', found, advice) : fail('clocks', found, advice);
}
