// A machine for trying the package: a Debian root folder in which it is installed, and its service under the limits of its
// unit. The network is that of this machine.

import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { commandInRoot } from '../debian-root.ts';

export interface Finished {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export class InstalledRoot {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Runs a command as root. @throws if it fails */
  run(...command: readonly string[]): string {
    const { exitCode, stdout, stderr } = this.try(...command);
    if (exitCode !== 0) throw new Error(`${command.join(' ')} failed (${exitCode}):\n${stdout}${stderr}`);
    return stdout;
  }

  try(...command: readonly string[]): Finished {
    const [program, args] = commandInRoot(this.folder, ...command);
    const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', maxBuffer: 1e8 });
    return { exitCode: status, stdout, stderr };
  }

  path(place: string): string {
    return path.join(this.folder, place);
  }

  write(place: string, content: string, mode: number): void {
    writeFileSync(this.path(place), content, { mode });
  }

  addSettings(settings: Readonly<Record<string, string>>): void {
    const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
    appendFileSync(this.path('/etc/gatehouse/gatehouse.env'), lines.join(''));
  }

  /** Starts a command of root, and finds its last process. */
  start(...command: readonly string[]) {
    const [program, args] = commandInRoot(this.folder, ...command);
    return new Running(program, args);
  }

  /** Starts the service like its unit does (run-as-unit.py). */
  startService(): Running {
    const namespaces = ['--mount', '--pid', '--ipc', '--fork', '--kill-child'];
    const script = path.join(import.meta.dirname, 'run-as-unit.py');
    return new Running('unshare', [...namespaces, '/usr/bin/python3', script, this.folder]);
  }
}

/** A program in its own process namespace, which ends with it. */
export class Running {
  readonly #parent;
  output = '';

  constructor(program: string, args: readonly string[]) {
    this.#parent = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [this.#parent.stdout, this.#parent.stderr])
      stream.setEncoding('utf8').on('data', (text) => {
        this.output += text;
      });
  }

  /** The process that the command has become; 0 before it has started. */
  get processId(): number {
    const { pid } = this.#parent;
    return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim());
  }

  /** What the kernel says of the process, such as its users and its rights. */
  status(): ReadonlyMap<string, string> {
    const { processId } = this;
    const lines = processId === 0 ? [] : readFileSync(`/proc/${processId}/status`, 'utf8').split('\n');
    return new Map(lines.map((line) => line.split(/:\s*/, 2) as [string, string]));
  }

  get #hasEnded(): boolean {
    return this.#parent.exitCode !== null || this.#parent.signalCode !== null;
  }

  async until(isReached: () => boolean | Promise<boolean>, what: string): Promise<void> {
    for (let tries = 0; tries < 300; tries += 1) {
      if (this.#hasEnded) break;
      if (await isReached()) return;
      await sleep(100);
    }
    throw new Error(`${what}: it did not happen.\n${this.output}`);
  }

  async stop(): Promise<void> {
    if (this.#hasEnded) return;
    const ended = once(this.#parent, 'exit');
    process.kill(this.processId, 'SIGTERM');
    const timer = setTimeout(() => this.kill(), 20_000);
    await ended;
    clearTimeout(timer);
  }

  /** A process that has changed its user no longer ends with its parent. */
  kill(): void {
    if (this.#hasEnded) return;
    const { processId } = this;
    process.kill(processId === 0 ? this.#parent.pid! : processId, 'SIGKILL');
  }
}

/** A package like another one, with another version. */
export function withVersion(file: string, version: string, target: string, scratch: string): void {
  execFileSync('dpkg-deb', ['--raw-extract', file, scratch]);
  const control = path.join(scratch, 'DEBIAN/control');
  writeFileSync(control, readFileSync(control, 'utf8').replace(/^Version: .*$/m, `Version: ${version}`));
  execFileSync('dpkg-deb', ['--root-owner-group', '-Znone', '--build', scratch, target], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}
