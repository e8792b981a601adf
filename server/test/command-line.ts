import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { runCommand } from '../src/commands/main.ts';
import { secretKeyFor } from './secret-key.ts';

const program = fileURLToPath(new URL('../bin/gatehouse.js', import.meta.url));

export interface CommandResult {
  exitCode: number | null;
  stdout: string;
  stderr: string;
  /** The result of `--json`. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read any result
  json: any;
}

export interface CommandOptions {
  env?: Record<string, string>;
  cwd?: string;
  /** The standard input of a command in this process. */
  input?: string;
  /** Run as a separate program, as users start it: for process-wide behavior and for concurrent commands. */
  ownProcess?: boolean;
  /** Called with the running process, for example to interrupt it. */
  whileRunning?: (child: ChildProcess) => void;
}

/**
 * Runs `gatehouse` with these arguments and only the given settings: in this process, one command at a time. `serve`,
 * which runs until a signal, and commands with `ownProcess` run in their own process.
 */
export function gatehouse(args: readonly string[], options: CommandOptions = {}): Promise<CommandResult> {
  if (args[0] === 'serve' || options.ownProcess || options.whileRunning) return runProcess(args, options);
  const result = lastCommand.then(() => runHere(args, options));
  lastCommand = result.catch(() => {});
  return result;
}

let lastCommand: Promise<unknown> = Promise.resolve();

async function runProcess(args: readonly string[], options: CommandOptions): Promise<CommandResult> {
  const child = spawn(process.execPath, [program, ...args], {
    cwd: options.cwd ?? temporaryFolder(),
    env: environmentWith(options.env),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [stdout, stderr] = [textOf(child.stdout), textOf(child.stderr)];
  options.whileRunning?.(child);
  const [exitCode] = (await once(child, 'close')) as [number | null];
  return resultOf(exitCode, stdout(), stderr());
}

/** Runs with the process-wide state of a command: settings, current folder and output. */
async function runHere(
  args: readonly string[],
  { env, cwd, input = '' }: CommandOptions,
): Promise<CommandResult> {
  const { env: environment, exitCode: ownExitCode } = process;
  const folder = process.cwd();
  const outputs = { stdout: new PassThrough(), stderr: new PassThrough() };
  const [stdout, stderr] = [textOf(outputs.stdout), textOf(outputs.stderr)];
  const streams = { stdin: Readable.from([Buffer.from(input)]), ...outputs };
  const own = (['stdin', 'stdout', 'stderr'] as const).map(
    (name) => [name, Object.getOwnPropertyDescriptor(process, name)!] as const,
  );
  const listeners = process.listeners('SIGINT');
  try {
    process.chdir(cwd ?? temporaryFolder());
    process.env = environmentWith(env);
    process.exitCode = undefined;
    for (const [name] of own) {
      Object.defineProperty(process, name, { configurable: true, enumerable: true, value: streams[name] });
    }
    const failed = await runCommand(['node', program, ...args]);
    await Promise.all(Object.values(outputs).map((output) => finished(output.end())));
    return resultOf(failed ?? Number(process.exitCode ?? 0), stdout(), stderr());
  } finally {
    for (const [name, descriptor] of own) Object.defineProperty(process, name, descriptor);
    process.env = environment;
    process.exitCode = ownExitCode;
    process.chdir(folder);
    for (const listener of process.listeners('SIGINT')) {
      if (!listeners.includes(listener)) process.off('SIGINT', listener);
    }
  }
}

/** Our environment without the variables of the tests. */
function environmentWith(settings: Record<string, string> = {}): Record<string, string | undefined> {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(GATEHOUSE_|VITEST|NODE_OPTIONS)/.test(name),
  );
  return { ...Object.fromEntries(inherited), ...settings };
}

function resultOf(exitCode: number | null, stdout: string, stderr: string): CommandResult {
  return { exitCode, stdout, stderr, json: parse(stdout) ?? parse(stderr) };
}

/** The commands on one database, with the key of the tests on PostgreSQL. */
export function commandsOn(databaseUrl: string) {
  return (args: readonly string[], options: CommandOptions = {}) =>
    gatehouse(args, {
      ...options,
      env: { GATEHOUSE_DATABASE_URL: databaseUrl, ...secretKeyFor(databaseUrl), ...options.env },
    });
}

/** The commands that call a service, for one site. */
export function commandsWith(server: { address: string }, site: { key: string }) {
  return (args: readonly string[], options: CommandOptions = {}) =>
    gatehouse(args, {
      ...options,
      env: { GATEHOUSE_URL: server.address, GATEHOUSE_KEY: site.key, ...options.env },
    });
}

/** A folder that is removed after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'gatehouse-command-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A file with this text, removed after the test. */
export function temporaryFile(name: string, text: string | Buffer): string {
  const file = path.join(temporaryFolder(), name);
  writeFileSync(file, text);
  return file;
}

function textOf(stream: NodeJS.ReadableStream): () => string {
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString('utf8');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
