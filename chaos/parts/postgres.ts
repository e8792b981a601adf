import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import postgres from 'postgres';
import { freePort } from '../../server/test/free-port.ts';
import type { RunningProgram } from './processes.ts';
import { databaseUser, pathOf, postgresFolder } from './programs.ts';
import { until, type World } from './world.ts';

/** A server of PostgreSQL 15 with its own data. Everyone on this machine may connect, without a password. */
export interface PostgresServer {
  readonly port: number;
  readonly program: RunningProgram;
  url(database?: string): string;
}

/** Starts a primary. Acknowledged commits are on disk, as in production. */
export async function startPrimary(world: World, name = 'primary'): Promise<PostgresServer> {
  const data = path.join(world.databaseFolder(name), 'data');
  runAsDatabaseUser('initdb', ['-D', data, '-U', 'postgres', '-A', 'trust', '--locale=C', '-E', 'UTF8']);
  return startServer(world, name, data);
}

/** Starts a hot standby, which follows a primary and can only be read. */
export async function startStandby(
  world: World,
  primary: PostgresServer,
  name = 'standby',
): Promise<PostgresServer> {
  const data = path.join(world.databaseFolder(name), 'data');
  const connection = ['-h', '127.0.0.1', '-p', String(primary.port), '-U', 'postgres'];
  runAsDatabaseUser('pg_basebackup', ['-D', data, '-R', '-X', 'stream', '-c', 'fast', ...connection]);
  return startServer(world, name, data);
}

async function startServer(world: World, name: string, data: string): Promise<PostgresServer> {
  const port = await freePort();
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: path.dirname(data),
    max_connections: 300,
  };
  const program = await world.processes.start(
    name,
    pathOf('postgres'),
    ['-D', data, ...Object.entries(settings).flatMap(([setting, value]) => ['-c', `${setting}=${value}`])],
    { user: databaseUser(), workingFolder: data },
  );
  const url = (database = 'postgres') => `postgres://postgres@127.0.0.1:${port}/${database}`;
  await until(`the start of ${name}`, 30, async () => {
    if (!program.isRunning()) throw new Error(`${name} ended: ${program.output().slice(-1_000)}`);
    return isReady(data);
  });
  return { port, program, url };
}

function isReady(data: string): boolean {
  try {
    return readFileSync(path.join(data, 'postmaster.pid'), 'utf8').split('\n')[7]?.trim() === 'ready';
  } catch {
    return false;
  }
}

/** Runs a program of PostgreSQL to its end. */
export function runAsDatabaseUser(program: string, args: readonly string[]): void {
  execFileSync(path.join(postgresFolder, program), args, {
    ...databaseUser(),
    cwd: '/',
    env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
}

/** Runs queries on one connection to a server. */
export async function withSql<T>(url: string, work: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql = postgres(url, { max: 1, prepare: false, onnotice: () => {}, connect_timeout: 10 });
  try {
    return await work(sql);
  } finally {
    await sql.end({ timeout: 5 });
  }
}
