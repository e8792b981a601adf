import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import type { Database } from '../storage/database.ts';
import { dialectOf, sqlitePath } from '../storage/database-url.ts';
import { openDatabase } from '../storage/open.ts';
import { type Check, fail, ok, warn } from './checks/check.ts';
import { checkConsistency } from './checks/consistency-checks.ts';
import { checkMigrations } from './checks/migration-check.ts';
import { checkPostgres } from './checks/postgres-checks.ts';
import { checkServer } from './checks/server-check.ts';
import { checkSqlite } from './checks/sqlite-checks.ts';
import { addCommand, type CommonOptions } from './command.ts';
import { withoutSecrets } from './database-url.ts';
import { describeFailure } from './failure.ts';
import { print } from './output.ts';
import { readSettings, type Settings } from './settings.ts';
import { version } from './version.ts';

const statementTimeoutMilliseconds = 10 * 60 * 1_000;

export function addDoctorCommand(program: Command): void {
  addCommand(program, 'doctor', 'look for what is wrong with the settings, the database and the service', [
    'doctor',
  ]).action(doctor);
}

async function doctor({ json }: CommonOptions): Promise<void> {
  const settings = readSettings(process.env);
  const checks = [
    ok('version', `Gatehouse ${version} on Node.js ${process.versions.node}`),
    ...(await checkStore(settings)),
    await checkServer(settings.publicUrl),
  ];
  const failed = checks.some(({ state }) => state === 'fail');
  const shown = masked(settings);
  print(json, { ok: !failed, checks, settings: shown }, `${settingLines(shown)}\n\n${checkLines(checks)}`);
  if (failed) process.exitCode = 1;
}

async function checkStore({ databaseUrl }: Settings): Promise<Check[]> {
  const shown = withoutSecrets(databaseUrl);
  if (dialectOf(databaseUrl) === 'sqlite' && !existsSync(sqlitePath(databaseUrl))) {
    return [warn('database', `no file ${sqlitePath(databaseUrl)} yet`, 'Start the service, which makes it.')];
  }
  const checks: Check[] = [];
  let database: Database | undefined;
  try {
    database = openDatabase(databaseUrl, { poolSize: 2, readOnly: true, statementTimeoutMilliseconds });
    const migrations = await checkMigrations(database);
    checks.push(ok('database', `open: ${shown}`), migrations);
    checks.push(
      ...(database.dialect === 'sqlite'
        ? await checkSqlite(database, sqlitePath(databaseUrl))
        : await checkPostgres(database)),
    );
    // Of tables that are not those of this version nothing can be told.
    if (migrations.state === 'ok') checks.push(...(await checkConsistency(database)));
  } catch (error) {
    const { message } = describeFailure(error);
    checks.push(fail('database', `cannot be used: ${shown}`, message));
  }
  await database?.close();
  return checks;
}

function masked(settings: Settings): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => {
      if (typeof value !== 'string') return [name, value ?? null];
      return [name, /secret|password|token/i.test(name) ? '***' : withoutSecrets(value)];
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
  return Array.isArray(value) ? value.join(', ') : String(value);
}

function checkLines(checks: readonly Check[]): string {
  const width = Math.max(...checks.map(({ check }) => check.length));
  return checks
    .map(({ state, check, message, advice }) => {
      const line = `${state.padEnd(4)}  ${check.padEnd(width)}  ${message}`;
      return advice === undefined ? line : `${line}\n${' '.repeat(width + 8)}→ ${advice}`;
    })
    .join('\n');
}
