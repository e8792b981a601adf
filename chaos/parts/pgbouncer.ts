import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { freePort } from '../../server/test/free-port.ts';
import type { PostgresServer } from './postgres.ts';
import type { RunningProgram } from './processes.ts';
import { databaseUser, pathOf } from './programs.ts';
import { until, type World } from './world.ts';

const debianFile = '/etc/pgbouncer/pgbouncer.ini';
export const pooledUser = { name: 'gatehouse', password: 'pooled' };

export interface Pooler {
  readonly program: RunningProgram;
  url(database: string, parameters?: string): string;
}

/**
 * Starts PgBouncer with the file that Debian installs. Only the places of files, the port, and the given settings are
 * others.
 */
export async function startPgbouncer(
  world: World,
  server: PostgresServer,
  databases: readonly string[],
  settings: Readonly<Record<string, string>> = {},
): Promise<Pooler> {
  const port = await freePort();
  const folder = world.databaseFolder(`pgbouncer-${port}`);
  const users = path.join(folder, 'userlist.txt');
  writeFileSync(users, `"${pooledUser.name}" "${pooledUser.password}"\n`);
  chmodSync(users, 0o644);
  const file = path.join(folder, 'pgbouncer.ini');
  const own = {
    listen_addr: '127.0.0.1',
    listen_port: String(port),
    unix_socket_dir: '',
    auth_file: users,
    logfile: path.join(folder, 'pgbouncer.log'),
    pidfile: path.join(folder, 'pgbouncer.pid'),
    ...settings,
  };
  writeFileSync(file, configOf(databases, server.port, own));
  chmodSync(file, 0o644);
  const program = await world.processes.start('pgbouncer', pathOf('pgbouncer'), [file], {
    user: databaseUser(),
    workingFolder: folder,
  });
  await until('PgBouncer', 15, () => {
    if (!program.isRunning()) throw new Error(`PgBouncer ended: ${program.output().slice(-1_000)}`);
    return program.output().includes('process up');
  });
  return {
    program,
    url: (database, parameters = '') =>
      `postgres://${pooledUser.name}:${pooledUser.password}@127.0.0.1:${port}/${database}${parameters}`,
  };
}

function configOf(databases: readonly string[], port: number, own: Readonly<Record<string, string>>): string {
  const installed = existsSync(debianFile) ? readFileSync(debianFile, 'utf8').split('\n') : ['[pgbouncer]'];
  const start = installed.findIndex((line) => line.trim() === '[pgbouncer]');
  const settings = installed
    .slice(start + 1)
    .filter((line) => /^\w/.test(line) && !(line.split('=')[0]!.trim() in own));
  return [
    '[databases]',
    ...databases.map((name) => `${name} = host=127.0.0.1 port=${port}`),
    '[pgbouncer]',
    ...settings,
    ...Object.entries(own).map(([name, value]) => `${name} = ${value}`),
    '',
  ].join('\n');
}
