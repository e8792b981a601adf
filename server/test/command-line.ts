import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const program = fileURLToPath(new URL('../bin/gatehouse.js', import.meta.url));

export interface CommandResult {
  exitCode: number | null;
  stdout: string;
  stderr: string;
  /** The result of `--json`. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever came back
  json: any;
}

export interface CommandOptions {
  env?: Record<string, string>;
  cwd?: string;
  /** Is given the running process, to interrupt it for example. */
  whileRunning?: (child: ChildProcess) => void;
}

/** Runs `gatehouse` with these arguments, as a process of its own that has no settings but those given. */
export async function gatehouse(
  args: readonly string[],
  options: CommandOptions = {},
): Promise<CommandResult> {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(GATEHOUSE_|VITEST|NODE_OPTIONS)/.test(name),
  );
  const child = spawn(process.execPath, [program, ...args], {
    cwd: options.cwd ?? temporaryFolder(),
    env: { ...Object.fromEntries(inherited), ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [stdout, stderr] = [textOf(child.stdout), textOf(child.stderr)];
  options.whileRunning?.(child);
  const [exitCode] = (await once(child, 'close')) as [number | null];
  return { exitCode, stdout: stdout(), stderr: stderr(), json: parse(stdout()) ?? parse(stderr()) };
}

/** The commands on one database. */
export function commandsOn(databaseUrl: string) {
  return (args: readonly string[], options: CommandOptions = {}) =>
    gatehouse(args, { ...options, env: { GATEHOUSE_DATABASE_URL: databaseUrl, ...options.env } });
}

/** The commands that speak to a service, for one site. */
export function commandsWith(server: { address: string }, site: { key: string }) {
  return (args: readonly string[], options: CommandOptions = {}) =>
    gatehouse(args, {
      ...options,
      env: { GATEHOUSE_URL: server.address, GATEHOUSE_KEY: site.key, ...options.env },
    });
}

/** A folder for the length of a test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'gatehouse-command-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A file with this text, for the length of a test. */
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
