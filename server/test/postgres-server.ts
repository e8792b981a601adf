import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  closeSync,
  cpSync,
  existsSync,
  lchownSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Socket } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { type PostgresPrograms, sharedTemporaryFolder } from './postgres-programs.ts';

export type PostgresServer = {
  majorVersion: number;
  port: number;
  /** The server's own log, for tests that check it. */
  logFile: string;
  folder: string;
  /** Trusted on loopback: no password. */
  url(databaseName?: string): string;
  /** Creates an empty database, with a generated name by default, and returns its URL. */
  createDatabase(name?: string): Promise<string>;
  /** Stops the server and removes its files. `immediate` skips the checkpoint, as after a crash. */
  stop(mode?: StopMode): Promise<void>;
  /** Kills every process of the server with SIGKILL, like a fault. The files stay: `restart()` recovers them. */
  kill(): Promise<void>;
  /** Starts the server again on the same port and files, stopping it first if it runs. */
  restart(mode?: StopMode): Promise<void>;
  /** Freezes every process of the server (SIGSTOP): it accepts connections and never responds. */
  pause(): void;
  resume(): void;
  /** Makes a standby the primary. */
  promote(): Promise<void>;
};

export type StopMode = 'fast' | 'immediate';

export type PostgresOptions = {
  /** If true, acknowledged commits survive a crash of the machine. False, the default, is faster. */
  fsync?: boolean;
  /** Further settings, as in postgresql.conf. */
  settings?: Record<string, string | number>;
  /** Where the folder of its files is created; by default where those of other programs are. */
  within?: string;
  /** Starts a hot standby of this server, with a copy of its files, instead of a new server. */
  standbyOf?: PostgresServer;
};

/**
 * Starts a separate PostgreSQL on a free loopback port and in a temporary folder. It ends with this process at the
 * latest.
 */
export async function startPostgres(
  programs: PostgresPrograms,
  options: PostgresOptions = {},
): Promise<PostgresServer> {
  const folder = mkdtempSync(path.join(options.within ?? sharedTemporaryFolder(), 'gatehouse-pg-'));
  const user = ordinaryUser();
  if (user) chownSync(folder, user.uid, user.gid);
  const guard = startGuard(folder);

  let port = 0;
  let running: ChildProcess | undefined;
  const start = async () => {
    running = await run(programs, folder, port, options, user, guard.watch);
  };
  const stop = async (mode: StopMode) => {
    if (running) await end(running, mode);
    guard.watch(undefined);
  };
  try {
    if (options.standbyOf) await copyFiles(options.standbyOf, folder, user);
    else initialize(programs, folder, user);
    for (let attempt = 1; !running; attempt++) {
      port = await freePort();
      await start().catch((error) => {
        // Another program may have taken the port in the meantime.
        if (attempt === 5 || !/could not bind/.test(String(error))) throw error;
      });
    }
  } catch (error) {
    guard.end();
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }

  const url = (databaseName = 'postgres') => `postgres://postgres@127.0.0.1:${port}/${databaseName}`;
  return {
    majorVersion: programs.majorVersion,
    port,
    logFile: logFileIn(folder),
    folder,
    url,
    createDatabase: (name = uniqueDatabaseName()) => createDatabase(url(), name),
    async stop(mode = 'fast') {
      await stop(mode);
      guard.end();
      rmSync(folder, { recursive: true, force: true });
    },
    async kill() {
      const pids = processesOf(running);
      for (const pid of pids) signal(pid, 'SIGKILL');
      if (running) await untilEnded(running);
      while (pids.some(isAlive)) await sleep(5);
      guard.watch(undefined);
    },
    async restart(mode = 'fast') {
      await stop(mode);
      await start();
    },
    pause() {
      for (const pid of processesOf(running)) signal(pid, 'SIGSTOP');
    },
    resume() {
      for (const pid of processesOf(running)) signal(pid, 'SIGCONT');
    },
    async promote() {
      await withConnection(url(), (sql) => sql`SELECT pg_promote()`);
    },
  };
}

export function uniqueDatabaseName(prefix = 'gatehouse_test'): string {
  return `${prefix}_${randomBytes(6).toString('hex')}`;
}

/** Creates a database on the server of `serverUrl`, empty or as a copy of another, and returns its URL. */
export async function createDatabase(
  serverUrl: string,
  name: string,
  template = 'template1',
): Promise<string> {
  await withConnection(serverUrl, (sql) => sql.unsafe(creationStatement(name, template)));
  return urlOf(serverUrl, name);
}

/** Creates databases like `createDatabase`, and drops them, on a connection that stays open until this process ends. */
export function databasesOf(serverUrl: string) {
  const sql = lastingConnections.get(serverUrl) ?? postgres(serverUrl, { max: 1, onnotice: () => {} });
  lastingConnections.set(serverUrl, sql);
  return {
    async create(name: string, template = 'template1'): Promise<string> {
      await sql.unsafe(creationStatement(name, template));
      return urlOf(serverUrl, name);
    },
    drop: (names: string[]) => dropDatabases(sql, names),
  };
}

const lastingConnections = new Map<string, postgres.Sql>();

/**
 * Copies the files of the template. Without fsync this takes less than half of the CPU time of a copy by the write-ahead
 * log.
 */
function creationStatement(name: string, template: string): string {
  return `CREATE DATABASE "${name}" TEMPLATE "${template}" STRATEGY FILE_COPY`;
}

function urlOf(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/** Drops databases, even while clients are connected to them. */
async function dropDatabases(sql: postgres.Sql, names: string[]): Promise<void> {
  for (const name of names) await sql.unsafe(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`);
}

/** Drops every database whose name starts with `prefix`. */
export async function dropDatabasesLike(serverUrl: string, prefix: string): Promise<void> {
  await withConnection(serverUrl, async (sql) => {
    const rows = await sql<{ name: string }[]>`
      SELECT datname AS name FROM pg_database WHERE starts_with(datname, ${prefix})`;
    await dropDatabases(
      sql,
      rows.map(({ name }) => name),
    );
  });
}

export async function withConnection<T>(url: string, work: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    return await work(sql);
  } finally {
    await sql.end();
  }
}

export type User = { uid: number; gid: number };

/** As root, the user to run as. Otherwise undefined: the current user. */
export function ordinaryUser(): User | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const found = users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody');
  if (!found)
    throw new Error('PostgreSQL does not run as root, and there is no user "postgres" or "nobody".');
  return { uid: Number(found[2]), gid: Number(found[3]) };
}

function initialize(programs: PostgresPrograms, folder: string, user: User | undefined) {
  const result = spawnSync(
    path.join(programs.folder, 'initdb'),
    [
      '-D',
      path.join(folder, 'data'),
      '-U',
      'postgres',
      '-A',
      'trust',
      '--locale=C',
      '-E',
      'UTF8',
      '--no-sync',
    ],
    { ...user, cwd: folder, env: environment(), encoding: 'utf8' },
  );
  if (result.status !== 0) throw new Error(`initdb failed: ${result.error ?? result.stderr}`);
}

/** Copies the files of a running server, as pg_basebackup does, which the npm package does not contain. */
async function copyFiles(primary: PostgresServer, folder: string, user: User | undefined) {
  const data = path.join(folder, 'data');
  await withConnection(primary.url(), async (sql) => {
    await sql`SELECT pg_backup_start('standby', true)`;
    cpSync(path.join(primary.folder, 'data'), data, {
      recursive: true,
      filter: (file) => !/postmaster\.(pid|opts)$/.test(file),
    });
    const [row] = await sql<{ labelfile: string }[]>`SELECT labelfile FROM pg_backup_stop(false)`;
    writeFileSync(path.join(data, 'backup_label'), row!.labelfile);
  });
  writeFileSync(path.join(data, 'standby.signal'), '');
  chmodSync(data, 0o700);
  if (!user) return;
  for (const name of ['', ...(readdirSync(data, { recursive: true }) as string[])])
    lchownSync(path.join(data, name), user.uid, user.gid);
}

async function run(
  programs: PostgresPrograms,
  folder: string,
  port: number,
  options: PostgresOptions,
  user: User | undefined,
  watch: (server: ChildProcess) => void,
): Promise<ChildProcess> {
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: folder,
    max_connections: 200,
    ...(options.fsync ? {} : { fsync: 'off', full_page_writes: 'off' }),
    ...(options.standbyOf && {
      primary_conninfo: `host=127.0.0.1 port=${options.standbyOf.port} user=postgres`,
    }),
    ...options.settings,
  };
  const log = openSync(logFileIn(folder), 'a');
  // A separate process group: Ctrl-C must not stop the server before the tests have closed their connections.
  const server = spawn(
    path.join(programs.folder, 'postgres'),
    [
      '-D',
      path.join(folder, 'data'),
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    { ...user, cwd: folder, env: environment(), stdio: ['ignore', log, log], detached: true },
  );
  closeSync(log);
  await once(server, 'spawn');
  watch(server);
  try {
    await untilReady(server, folder);
  } catch (error) {
    await end(server, 'immediate');
    throw error;
  }
  server.unref();
  return server;
}

/**
 * Outlives this process, however it ends, and then stops the server, if there is one, and removes its files: its
 * input is closed at that moment. The last line of its input is the server's process ID; an empty line means no
 * server.
 */
export function startGuard(folder: string) {
  const script = `while read -r line; do pid=$line; done
    if [ -n "$pid" ]; then
      kill -QUIT "$pid"; kill -CONT "$pid"
      for i in 1 2 3 4 5 6 7 8 9 10; do kill -0 "$pid" || break; sleep 1; done
    fi
    rm -rf "$1"`;
  const guard = spawn('sh', ['-c', script, 'guard', folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  const input = guard.stdin as Socket;
  guard.unref();
  input.unref();
  return {
    watch: (server: ChildProcess | undefined) => input.write(`${server?.pid ?? ''}\n`),
    end: () => guard.kill('SIGKILL'),
  };
}

async function untilReady(running: ChildProcess, folder: string) {
  const timeoutSeconds = 60;
  const pidFile = path.join(folder, 'data', 'postmaster.pid');
  for (const until = Date.now() + timeoutSeconds * 1000; Date.now() < until; await sleep(20)) {
    if (hasEnded(running)) break;
    const lines = existsSync(pidFile) ? readFileSync(pidFile, 'utf8').split('\n') : [];
    if (Number(lines[0]) === running.pid && /^(ready|standby)$/.test(lines[7]?.trim() ?? '')) return;
  }
  throw new Error(`PostgreSQL did not start:\n${readFileSync(logFileIn(folder), 'utf8').slice(-2000)}`);
}

async function end(running: ChildProcess, mode: StopMode) {
  if (hasEnded(running)) return;
  const pids = processesOf(running);
  signal(running.pid, mode === 'fast' ? 'SIGINT' : 'SIGQUIT');
  for (const pid of pids) signal(pid, 'SIGCONT');
  await untilEnded(running);
}

async function untilEnded(running: ChildProcess) {
  running.ref();
  if (!hasEnded(running)) await once(running, 'exit');
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

/** The postmaster and its children. */
function processesOf(running: ChildProcess | undefined): number[] {
  if (running?.pid === undefined || hasEnded(running)) return [];
  return [running.pid, ...childrenOf(running.pid)];
}

type ProcessRow = { pid: number; parent: number; state: string };

function childrenOf(parent: number): number[] {
  return processes()
    .filter((row) => row.parent === parent)
    .map((row) => row.pid);
}

/** A process that has ended but was not waited for (state Z) counts as ended. */
function isAlive(pid: number): boolean {
  return processes().some((row) => row.pid === pid && !row.state.startsWith('Z'));
}

function processes(): ProcessRow[] {
  if (!existsSync('/proc/self/stat')) {
    const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,state='], { encoding: 'utf8' })
      .trim()
      .split('\n');
    return rows.map((row) => {
      const [pid, parent, state = ''] = row.trim().split(/\s+/);
      return { pid: Number(pid), parent: Number(parent), state };
    });
  }
  return readdirSync('/proc')
    .map(Number)
    .filter(Boolean)
    .flatMap((pid) => processRow(pid) ?? []);
}

/** From Linux's /proc (proc_pid_stat(5)): the name in brackets is followed by the state and the parent. */
function processRow(pid: number): ProcessRow | undefined {
  try {
    const [state = '', parent] =
      readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return { pid, parent: Number(parent), state };
  } catch {
    return undefined;
  }
}

function signal(pid: number | undefined, name: NodeJS.Signals) {
  try {
    if (pid !== undefined) process.kill(pid, name);
  } catch {
    // The process has ended.
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('No free port.');
  return address.port;
}

function environment(): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' };
}

function logFileIn(folder: string): string {
  return path.join(folder, 'server.log');
}
