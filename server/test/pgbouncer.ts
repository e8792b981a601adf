import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { timeLimitsFor } from '../src/storage/postgres/connections/postgres-session.ts';
import { freePort } from './free-port.ts';
import { sharedTemporaryFolder } from './postgres-programs.ts';
import { ordinaryUser, startGuard } from './postgres-server.ts';

export type PoolMode = 'session' | 'transaction';

export interface PgBouncer {
  readonly port: number;
  /** The URL of a database, through the pooler. In transaction mode with `prepare=false`. */
  urlOf(databaseUrl: string): string;
  stop(): Promise<void>;
}

const startMilliseconds = 10_000;

/** The statements that give a user the time limits of a service, which PgBouncer does not pass on. */
export function timeLimitStatements(user: string): string[] {
  const limits = Object.entries(timeLimitsFor(8_000));
  return limits.map(([name, value]) => `ALTER ROLE ${user} SET ${name} = '${value}ms'`);
}

export const hasPgBouncer = spawnSync('pgbouncer', ['--version']).status === 0;

/**
 * Starts PgBouncer in front of a server, configured as Debian installs it, except for the given settings: it refuses
 * unknown start-up parameters. It ends with this process at the latest.
 */
export async function startPgBouncer(
  serverUrl: string,
  mode: PoolMode,
  settings: Record<string, string | number> = {},
): Promise<PgBouncer> {
  const server = new URL(serverUrl);
  const folder = mkdtempSync(path.join(sharedTemporaryFolder(), 'gatehouse-pgbouncer-'));
  const user = ordinaryUser();
  const port = await freePort();
  const file = (name: string, lines: readonly string[]) => {
    writeFileSync(path.join(folder, name), `${lines.join('\n')}\n`);
    if (user) chownSync(path.join(folder, name), user.uid, user.gid);
    return path.join(folder, name);
  };
  const values = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'trust',
    auth_file: file('users.txt', [`"${server.username}" ""`]),
    pool_mode: mode,
    logfile: path.join(folder, 'pgbouncer.log'),
    ...settings,
  };
  const configuration = file('pgbouncer.ini', [
    '[databases]',
    `* = host=${server.hostname} port=${server.port}`,
    '[pgbouncer]',
    ...Object.entries(values).map(([name, value]) => `${name} = ${value}`),
  ]);
  if (user) chownSync(folder, user.uid, user.gid);
  const guard = startGuard(folder);
  const child = spawn('pgbouncer', [configuration], {
    ...user,
    cwd: folder,
    stdio: 'ignore',
    detached: true,
  });
  guard.watch(child);
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.ref();
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
    guard.end();
    rmSync(folder, { recursive: true, force: true });
  };
  await untilReady(child, port).catch(async (error) => {
    const log = readFileSync(path.join(folder, 'pgbouncer.log'), 'utf8');
    await stop();
    throw new Error(`${error.message}\n${log}`);
  });
  child.unref();
  return {
    port,
    urlOf(databaseUrl) {
      const url = new URL(databaseUrl);
      url.port = String(port);
      if (mode === 'transaction') url.searchParams.set('prepare', 'false');
      return url.href;
    },
    stop,
  };
}

async function untilReady(child: ChildProcess, port: number): Promise<void> {
  for (const end = Date.now() + startMilliseconds; Date.now() < end; await sleep(20)) {
    if (child.exitCode !== null) break;
    const socket = connect(port, '127.0.0.1');
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isOpen) return;
  }
  throw new Error('PgBouncer did not start.');
}
