import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { newSecretKey } from '../../server/src/base/encryption/secret-box.ts';
import { freePort } from '../../server/test/free-port.ts';
import type { RunningProgram } from './processes.ts';
import { until, type World } from './world.ts';

const startSeconds = 60;
const commandSeconds = 180;
/** The checkout that this file belongs to. */
export const checkout = fileURLToPath(new URL('../../', import.meta.url));
const secretKey = newSecretKey();

export interface Service {
  readonly program: RunningProgram;
  /** `http://127.0.0.1:<port>` */
  readonly address: string;
}

export interface ServiceOptions {
  readonly databaseUrl: string;
  readonly settings?: Readonly<Record<string, string | number>>;
  /** The folder of a version of Gatehouse; by default this checkout. */
  readonly version?: string;
  readonly port?: number;
}

/** Starts a service, and waits until it has printed its address. */
export async function startService(world: World, name: string, options: ServiceOptions): Promise<Service> {
  const port = options.port ?? (await freePort());
  const program = await beginService(world, name, { ...options, port });
  await until(`the start of ${name}`, startSeconds, () => {
    if (!program.isRunning()) throw new Error(`${name} ended: ${program.output().slice(-1_000)}`);
    return program.output().includes('"address":"http');
  });
  return { program, address: `http://127.0.0.1:${port}` };
}

/** Starts a service without waiting, also when it may fail. */
export function beginService(
  world: World,
  name: string,
  { databaseUrl, settings = {}, version = checkout, port = 0 }: ServiceOptions,
): Promise<RunningProgram> {
  return world.processes.start(name, process.execPath, [programOf(version), 'serve'], {
    environment: environmentOf(databaseUrl, { GATEHOUSE_PORT: port, ...settings }),
  });
}

export interface CommandResult {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly milliseconds: number;
}

/** Runs a command of `gatehouse`. It is ended when it takes too long. */
export async function runCommand(
  { folder }: World,
  args: readonly string[],
  { databaseUrl, settings = {}, version = checkout }: ServiceOptions,
): Promise<CommandResult> {
  const start = performance.now();
  const child = spawn(process.execPath, [programOf(version), ...args], {
    cwd: folder,
    env: environmentOf(databaseUrl, settings),
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: commandSeconds * 1_000,
  });
  const output = Promise.all([text(child.stdout), text(child.stderr)]);
  const [exitCode] = (await once(child, 'close')) as [number | null];
  const [stdout, stderr] = await output;
  return { exitCode, stdout, stderr, milliseconds: performance.now() - start };
}

export interface Site {
  readonly slug: string;
  readonly key: string;
}

/**
 * Creates the tables if there are none, and a site with a key, all by the command line.
 * @param keyOptions of `key create`; by default the key has no rate limit
 */
export async function createSite(
  world: World,
  slug: string,
  options: ServiceOptions,
  keyOptions: readonly string[] = ['--rate-limit', '0'],
): Promise<Site> {
  const run = async (...args: string[]) => {
    const { exitCode, stdout, stderr } = await runCommand(world, [...args, '--json'], options);
    if (exitCode !== 0) throw new Error(`./gatehouse ${args.join(' ')} failed: ${stderr || stdout}`);
    return JSON.parse(stdout);
  };
  await run('migrate');
  await run('site', 'create', '--slug', slug);
  const { key } = await run('key', 'create', '--site', slug, '--name', 'Chaos', ...keyOptions);
  return { slug, key };
}

function programOf(version: string): string {
  return `${version}/server/bin/gatehouse.js`;
}

function environmentOf(
  databaseUrl: string,
  settings: Readonly<Record<string, string | number>>,
): Record<string, string> {
  const given = {
    PATH: process.env.PATH!,
    GATEHOUSE_DATABASE_URL: databaseUrl,
    GATEHOUSE_SECRET_KEY: secretKey,
    GATEHOUSE_RATE_LIMIT: 0,
    GATEHOUSE_RATE_LIMIT_UNAUTHENTICATED: 0,
    ...settings,
  };
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, String(value)]));
}
