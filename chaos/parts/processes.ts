import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { User } from './programs.ts';

const stopSeconds = 15;

export interface StartOptions {
  /** As root, the process runs as this user. */
  readonly user?: User | undefined;
  readonly environment?: Readonly<Record<string, string>>;
  readonly workingFolder?: string;
}

/** A running program, whose output goes to a file. */
export interface RunningProgram {
  readonly name: string;
  readonly pid: number;
  readonly logFile: string;
  output(): string;
  isRunning(): boolean;
  /** The exit code; null when a signal ended it. */
  readonly exited: Promise<number | null>;
  signal(name: NodeJS.Signals): void;
  /** Ends it with SIGTERM, or with SIGKILL when that takes too long. */
  stop(signal?: NodeJS.Signals): Promise<void>;
  /** Ends it with SIGKILL, like a fault. */
  kill(): Promise<void>;
}

/**
 * The programs of one scenario. Each is stopped by its process ID, at the end of the scenario or, by a guard, when this
 * program ends in any way.
 */
export class Processes {
  readonly #folder: string;
  readonly #guard: ChildProcess;
  readonly #running = new Set<RunningProgram>();
  #started = 0;
  #isEnded = false;

  constructor(folder: string) {
    this.#folder = folder;
    this.#guard = startGuard(folder);
  }

  /** @throws {Error} when the program cannot be started, or the scenario has ended meanwhile */
  async start(
    name: string,
    program: string,
    args: readonly string[],
    options: StartOptions = {},
  ): Promise<RunningProgram> {
    if (this.#isEnded) throw new Error(`${name} was not started, because the scenario has ended.`);
    this.#started += 1;
    const logFile = path.join(this.#folder, `${String(this.#started).padStart(2, '0')}-${name}.log`);
    const log = openSync(logFile, 'a');
    const child = spawn(program, args, {
      ...options.user,
      cwd: options.workingFolder ?? this.#folder,
      env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC', ...options.environment },
      stdio: ['ignore', log, log],
      // Ctrl-C reaches only this program, which then stops the others in order.
      detached: true,
    });
    closeSync(log);
    await once(child, 'spawn');
    const running = runningProgram(name, child, logFile);
    this.#running.add(running);
    this.#guard.stdin!.write(`+${running.pid}\n`);
    running.exited.then(() => {
      this.#running.delete(running);
      this.#guard.stdin!.write(`-${running.pid}\n`);
    });
    return running;
  }

  /** Stops everything that is still running, the programs that were started last first. */
  async stopAll(): Promise<void> {
    this.#isEnded = true;
    for (const running of [...this.#running].reverse()) await running.stop();
  }

  /** Afterwards nothing guards the folder. */
  endGuard(): void {
    this.#guard.kill('SIGKILL');
  }
}

function runningProgram(name: string, child: ChildProcess, logFile: string): RunningProgram {
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  const signal = (which: NodeJS.Signals) => void (isRunning() && child.kill(which));
  const kill = async () => {
    signal('SIGKILL');
    await exited;
  };
  return {
    name,
    logFile,
    exited,
    isRunning,
    signal,
    kill,
    pid: child.pid!,
    output: () => readFileSync(logFile, 'utf8'),
    async stop(which = 'SIGTERM') {
      signal(which);
      const late = sleep(stopSeconds * 1_000, undefined, { ref: false }).then(kill);
      await Promise.race([exited, late]);
    },
  };
}

/**
 * A shell that outlives this program. When its input ends, it kills the programs that still run and every PostgreSQL
 * server with its data in the folder, and removes the folder. A number is a process of the scenario only while it is in
 * the list; a server is recognized by its working folder.
 */
function startGuard(folder: string): ChildProcess {
  const script = `pids=' '
    while read -r line; do
      pid=\${line#?}
      case $line in +*) pids="$pids$pid ";; -*) pids="\${pids%% $pid *} \${pids#* $pid }";; esac
    done
    for pid in $pids; do kill -KILL "$pid"; done
    for file in "$1"/*/data/postmaster.pid; do
      pid=$(head -n 1 "$file") && [ "$(readlink "/proc/$pid/cwd")" = "\${file%/*}" ] && kill -QUIT "$pid"
    done
    sleep 1
    rm -rf "$1"`;
  const guard = spawn('sh', ['-c', script, 'guard', folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  guard.unref();
  (guard.stdin as unknown as { unref(): void }).unref();
  return guard;
}
