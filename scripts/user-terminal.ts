// Helpers for checks that act like a user: a clean environment, a shell, and a program that keeps running.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const stopTimeoutSeconds = 10;

/** The environment without the variables of npm and of this repository's scripts. */
export function userEnvironment(more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const own = (name: string) => name.startsWith('npm_') || name.startsWith('GATEHOUSE_') || name === 'NODE';
  const others = Object.entries(process.env).filter(([name]) => !own(name));
  const PATH = process.env.PATH?.split(path.delimiter).filter((each) => !each.includes('node_modules'));
  return { ...Object.fromEntries(others), PATH: PATH?.join(path.delimiter), ...more };
}

/** A command that keeps running in a terminal. It has its own process group, so that all of it can be killed. */
export function startInTerminal(line: string, cwd: string, env: NodeJS.ProcessEnv) {
  const shell = spawn('sh', ['-c', `exec ${line}`], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let output = '';
  for (const stream of [shell.stdout, shell.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => (output += text));
  }
  const hasEnded = () => shell.exitCode !== null || shell.signalCode !== null;

  return {
    output: () => output,
    /** The first match of a pattern in the output, as soon as it appears. */
    async printed(pattern: RegExp, timeoutSeconds: number): Promise<string> {
      for (let second = 0; second < timeoutSeconds && !hasEnded(); second += 0.1, await sleep(100)) {
        const match = pattern.exec(output);
        if (match) return match[1] ?? match[0];
      }
      throw new Error(`${line} has not printed ${pattern}`);
    },
    async stop() {
      shell.kill('SIGTERM');
      await Promise.race([ended(shell), sleep(stopTimeoutSeconds * 1000, undefined, { ref: false })]);
      assert.ok(hasEnded(), `still running ${stopTimeoutSeconds} s after SIGTERM`);
      assert.equal(shell.exitCode, 0, 'exit code after SIGTERM');
    },
    async kill() {
      if (hasEnded() || !shell.pid) return;
      process.kill(-shell.pid, 'SIGKILL');
      await ended(shell);
    },
  };
}

/**
 * A terminal into which blocks of lines are pasted sequentially: variables exported by one block are set for the
 * next.
 */
export function openTerminal(cwd: string, env: NodeJS.ProcessEnv) {
  const shell = spawn('sh', [], { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] });
  let output = '';
  let errors = '';
  shell.stdout.setEncoding('utf8').on('data', (text) => (output += text));
  shell.stderr.setEncoding('utf8').on('data', (text) => (errors += text));
  // A shell that has ended is detected by its missing output.
  shell.stdin.on('error', () => {});
  // Unlike in a terminal, the first failing line ends the shell.
  shell.stdin.write('set -e\n');
  return {
    /** Returns the standard output of the block. */
    async paste(block: string): Promise<string> {
      output = '';
      errors = '';
      const end = `-- pasted ${Math.random()} --`;
      shell.stdin.write(`${block}\necho '${end}'\n`);
      while (!output.includes(end)) {
        if (shell.exitCode !== null) throw new Error(`This failed:\n${block}\n${output}${errors}`);
        await sleep(50);
      }
      return output.replace(`${end}\n`, '');
    },
    close: () => void shell.stdin.end(),
  };
}

async function ended(child: ChildProcess) {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  return port;
}
