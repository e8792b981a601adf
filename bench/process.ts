import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { newSecretKey } from '../server/src/base/encryption/secret-box.ts';
import type { Dataset } from './data.ts';

/** The server has one core to itself, the load generator the other. */
const serverCore = 0;
export const loadCore = 1;

const startSeconds = 30;

export interface ServerProcess {
  /** `http://127.0.0.1:<port>` */
  readonly address: string;
  readonly key: string;
  /** User and system time of the threads, also of its workers, that run now, since their start. */
  cpuSeconds(): number;
  residentMebibytes(): number;
  /** The resident memory of the process and of each of its workers. */
  processMebibytes(): number[];
  stop(): Promise<void>;
}

/** Builds the service if its sources have changed: it is measured as users run it. */
export function buildService(): void {
  const setUp = fileURLToPath(new URL('../scripts/node-path.mjs', import.meta.url));
  execFileSync(process.execPath, [setUp], { stdio: ['ignore', 'ignore', 'inherit'] });
}

interface StartOptions {
  /** Command-line flags of Node. */
  readonly nodeFlags?: readonly string[];
  /** Additional environment variables. */
  readonly environment?: Readonly<Record<string, string>>;
  /** The cores that it may use, as for taskset; the server core by default. */
  readonly cores?: string;
  /** Runs the sources instead of the build, so that a profile names their files. */
  readonly fromSources?: boolean;
}

/** Starts Gatehouse with a database, pinned to the server core. */
export async function startGatehouse(
  dataset: Pick<Dataset, 'databaseUrl' | 'key'>,
  options: StartOptions = {},
): Promise<ServerProcess> {
  const port = await freePort();
  const entry = options.fromSources ? '../server/src/commands/program.ts' : '../server/bin/gatehouse.js';
  const program = fileURLToPath(new URL(entry, import.meta.url));
  const args = [...(options.nodeFlags ?? []), program, 'serve'];
  const environment = {
    GATEHOUSE_DATABASE_URL: dataset.databaseUrl,
    GATEHOUSE_SECRET_KEY: newSecretKey(),
    GATEHOUSE_PORT: String(port),
    GATEHOUSE_LOG_LEVEL: 'warn',
    GATEHOUSE_RATE_LIMIT: '0',
    GATEHOUSE_RATE_LIMIT_UNAUTHENTICATED: '0',
    ...options.environment,
  };
  return start(args, dataset, port, environment, options.cores);
}

/** Starts the floor server with an SQLite database, pinned to the same core. */
export async function startFloor(
  dataset: Dataset,
  nodeFlags: readonly string[] = [],
): Promise<ServerProcess> {
  const port = await freePort();
  const program = fileURLToPath(new URL('floor.ts', import.meta.url));
  return start([...nodeFlags, program], dataset, port, {
    FLOOR_PORT: String(port),
    FLOOR_DATABASE_URL: dataset.databaseUrl,
  });
}

async function start(
  args: string[],
  { key }: Pick<Dataset, 'key'>,
  port: number,
  environment: Record<string, string>,
  cores = String(serverCore),
): Promise<ServerProcess> {
  const child = spawn('taskset', ['-c', cores, process.execPath, ...args], {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  const address = `http://127.0.0.1:${port}`;
  await untilAnswering(child, address);
  const pid = child.pid!;
  return {
    address,
    key,
    cpuSeconds: () => sum([pid, ...childrenOf(pid)].map(cpuSecondsOf)),
    residentMebibytes: () => residentMebibytesOf(pid),
    processMebibytes: () => [pid, ...childrenOf(pid)].map(residentMebibytesOf),
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
    },
  };
}

/** Moves this program, and the load generators it starts, off the server core. */
export function moveToLoadCore(): void {
  spawnSync('taskset', ['-a', '-c', '-p', String(loadCore), String(process.pid)]);
}

async function untilAnswering(child: ChildProcess, address: string): Promise<void> {
  for (const end = Date.now() + startSeconds * 1_000; Date.now() < end; await sleep(2)) {
    if (child.exitCode !== null) break;
    const response = await fetch(`${address}/healthz`).catch(() => undefined);
    await response?.text();
    if (response?.ok) return;
  }
  child.kill('SIGKILL');
  throw new Error(`${child.spawnargs.join(' ')} did not respond within ${startSeconds} s.`);
}

/** The workers of a process. */
function childrenOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return children === '' ? [] : children.split(' ').map(Number);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** The time on the CPU of all threads that run now: the first field of `schedstat`, in nanoseconds. */
function cpuSecondsOf(pid: number): number {
  const tasks = `/proc/${pid}/task`;
  return readdirSync(tasks).reduce((sum, task) => sum + nanosecondsOf(`${tasks}/${task}`), 0) / 1e9;
}

function nanosecondsOf(task: string): number {
  try {
    return Number(readFileSync(`${task}/schedstat`, 'utf8').split(' ')[0]);
  } catch {
    return 0; // The thread has just ended.
  }
}

function residentMebibytesOf(pid: number): number {
  const [, kibibytes] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))!;
  return Number(kibibytes) / 1_024;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (address === null || typeof address === 'string') throw new Error('No free port.');
  return address.port;
}

// The processes to stop when this program ends, for any reason.
const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
