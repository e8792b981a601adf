import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
  /** The command line of another version, which runs in this process. */
  version?: typeof runCommand;
  /** Called with the running process, for example to interrupt it. */
  whileRunning?: (child: ChildProcess) => void;
  /** Called when a service in this process has started, before it is stopped. */
  onceStarted?: () => Promise<void>;
}

/**
 * Runs `gatehouse` with these arguments and only the given settings: in this process, one command at a time, or with
 * `ownProcess` or `whileRunning` in its own. `serve` runs until it fails; in this process it gets a signal as soon as it
 * has started.
 */
export function gatehouse(args: readonly string[], options: CommandOptions = {}): Promise<CommandResult> {
  if (options.ownProcess || options.whileRunning) return runProcess(args, options);
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

/** Runs with the process-wide state of a command: settings, current folder, output and listeners. */
async function runHere(
  args: readonly string[],
  { env, cwd, input = '', onceStarted, version = runCommand }: CommandOptions,
): Promise<CommandResult> {
  const { env: environment, exitCode: ownExitCode } = process;
  const folder = process.cwd();
  const isService = args[0] === 'serve';
  const log = isService ? path.join(temporaryFolder(), 'log') : undefined;
  // A service opens its log with the descriptor of the standard output, which may also be the name of a file.
  const outputs = { stdout: Object.assign(new PassThrough(), { fd: log }), stderr: new PassThrough() };
  const [stdout, stderr] = [textOf(outputs.stdout), textOf(outputs.stderr)];
  const streams = { stdin: Readable.from([Buffer.from(input)]), ...outputs };
  const own = (['stdin', 'stdout', 'stderr'] as const).map(
    (name) => [name, Object.getOwnPropertyDescriptor(process, name)!] as const,
  );
  const restoreListeners = keepListeners();
  try {
    process.chdir(cwd ?? temporaryFolder());
    process.env = environmentWith(env);
    process.exitCode = undefined;
    for (const [name] of own) {
      Object.defineProperty(process, name, { configurable: true, enumerable: true, value: streams[name] });
    }
    const argv = ['node', program, ...args];
    const ended = await (isService ? serveHere(() => version(argv), onceStarted) : version(argv));
    await Promise.all(Object.values(outputs).map((output) => finished(output.end())));
    return resultOf(ended ?? Number(process.exitCode ?? 0), textOfLog(log, ended === 0) + stdout(), stderr());
  } finally {
    for (const [name, descriptor] of own) Object.defineProperty(process, name, descriptor);
    process.env = environment;
    process.exitCode = ownExitCode;
    process.chdir(folder);
    restoreListeners();
  }
}

/**
 * Runs a service until it fails, or has started and is then stopped, or until its test is over. Returns its exit code.
 */
async function serveHere(
  serve: () => ReturnType<typeof runCommand>,
  onceStarted: CommandOptions['onceStarted'],
): Promise<number> {
  const { exit } = process;
  const listeners = process.listeners('SIGTERM');
  let hasEnded = false;
  const ended = new Promise<number>((resolve) => {
    process.exit = ((exitCode: number) => {
      hasEnded = true;
      resolve(exitCode);
    }) as typeof process.exit;
  });
  /** Also ends the log of a service that did not start. */
  const stop = async () => {
    const onSignal = process.listeners('SIGTERM').filter((listener) => !listeners.includes(listener));
    if (hasEnded || onSignal.length === 0) return;
    for (const listener of onSignal) void listener('SIGTERM');
    await ended;
  };
  // The next command in this process waits for this one, also if it never starts.
  const { promise: givenUp, resolve: giveUp } = Promise.withResolvers<number>();
  onTestFinished(async () => {
    await stop();
    giveUp(1);
  });
  let failed: number | undefined;
  try {
    failed = await Promise.race([serve(), ended, givenUp]);
    if (failed === undefined) await onceStarted?.();
  } finally {
    await stop();
    process.exit = exit;
  }
  return failed ?? ended;
}

/** Returns a function that restores the listeners which a command adds or replaces. */
function keepListeners(): () => void {
  const events = ['SIGINT', 'SIGTERM', 'warning'];
  const listeners = events.map((event) => [event, process.rawListeners(event)] as const);
  return () => {
    for (const [event, before] of listeners) {
      const now = process.rawListeners(event);
      for (const listener of now.filter((each) => !before.includes(each)))
        process.off(event, listener as () => void);
      for (const listener of before.filter((each) => !now.includes(each)))
        process.on(event, listener as () => void);
    }
  };
}

/** The log of a service; of one that failed only what it wrote before the test ended its log. */
function textOfLog(log: string | undefined, hasStarted: boolean): string {
  const text = log !== undefined && existsSync(log) ? readFileSync(log, 'utf8') : '';
  const end = text.search(/^.*"msg":"Gatehouse is stopping"/m);
  return hasStarted || end < 0 ? text : text.slice(0, end);
}

/** Our environment without the variables of the tests. */
function environmentWith(settings: Record<string, string> = {}): Record<string, string | undefined> {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(GATEHOUSE_|VITEST|NODE_OPTIONS|container$)/.test(name),
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
