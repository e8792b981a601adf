import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { loadCore, type ServerProcess } from '../process.ts';

export const apiPath = '/api/v1';

export interface LoadRequest {
  readonly method: 'GET' | 'POST';
  /** Relative to the API's URL; `/_gatehouse/…` is a path of the gate, and `/pages/…` one of a site. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** `NNNNNNNNN` in it becomes a nine-digit number that is different in each request. */
  readonly body?: string;
}

/** Requests that are sent repeatedly over a number of connections, each of which waits for its response. */
export interface Load {
  readonly requests: readonly LoadRequest[];
  readonly connections: number;
}

/** The measurements of a load. */
export interface Figures {
  readonly perSecond: number;
  readonly p50Milliseconds: number;
  readonly p99Milliseconds: number;
  /** User and system time of the server process per request. */
  readonly cpuMicroseconds: number;
}

const run = promisify(execFile);
const script = fileURLToPath(new URL('load.lua', import.meta.url));
let numbersUsed = 100_000_000;
const numbersInRun = 1_000_000;

/**
 * Runs a load with wrk. Without any response, the figures are those of a single request. @throws when a request failed
 */
export async function runLoad(
  server: ServerProcess,
  load: Load,
  seconds: number,
  folder: string,
  { waitUntilIdle = true } = {},
): Promise<Figures> {
  const file = path.join(folder, 'requests.txt');
  const lines = load.requests.map(lineOf);
  writeFileSync(file, `${lines.join('\n')}\n`);
  numbersUsed += numbersInRun;
  const options = ['-t1', `-c${load.connections}`, `-d${seconds}s`, '--timeout', '20s', '-s', script];
  if (waitUntilIdle) await untilIdle(server);
  const before = server.cpuSeconds();
  const { stdout } = await run('taskset', [
    '-c',
    String(loadCore),
    'wrk',
    ...options,
    server.address,
    '--',
    file,
    server.key,
    String(numbersUsed),
  ]);
  const cpu = server.cpuSeconds() - before;
  const { requests, microseconds, p50, p99, failed } = JSON.parse(stdout.trim().split('\n').at(-1)!);
  if (failed > 0) throw new Error(`${failed} of ${requests} requests failed.\n${stdout}`);
  if (requests === 0) {
    const maximum = seconds * 1_000;
    return { perSecond: 0, p50Milliseconds: maximum, p99Milliseconds: maximum, cpuMicroseconds: cpu * 1e6 };
  }
  return {
    perSecond: requests / (microseconds / 1e6),
    p50Milliseconds: p50 / 1_000,
    p99Milliseconds: p99 / 1_000,
    cpuMicroseconds: (cpu / requests) * 1e6,
  };
}

/** The target of a request, from its path as in `LoadRequest`. */
export function targetOf(path: string): string {
  return /^\/(?:_gatehouse|pages)\//.test(path) ? path : apiPath + path;
}

function lineOf({ method, path, body = '', headers = {} }: LoadRequest): string {
  const own = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [method, targetOf(path), body, ...own].join('\t');
}

/** Waits at most 30 s for work left by an earlier load. */
async function untilIdle(server: ServerProcess): Promise<void> {
  let last = server.cpuSeconds();
  for (let look = 0; look < 300; look += 1) {
    await sleep(100);
    const now = server.cpuSeconds();
    if (now - last <= 0.01) return;
    last = now;
  }
}

export interface Subject {
  readonly server: ServerProcess;
  readonly load: Load;
}

/**
 * Runs loads alternately in several rounds, so that other work on the machine affects all of them equally. Returns the
 * median of each load.
 */
export async function alternate(
  subjects: readonly Subject[],
  { rounds, seconds }: { readonly rounds: number; readonly seconds: number },
  folder: string,
): Promise<Figures[]> {
  for (const { server, load } of subjects) await runLoad(server, load, Math.min(2, seconds), folder); // warms up
  const results: Figures[][] = subjects.map(() => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, { server, load }] of subjects.entries()) {
      results[index]!.push(await runLoad(server, load, seconds, folder));
    }
  }
  return results.map(medianFigures);
}

function medianFigures(rounds: readonly Figures[]): Figures {
  const of = (name: keyof Figures) => median(rounds.map((figures) => figures[name]));
  return {
    perSecond: of('perSecond'),
    p50Milliseconds: of('p50Milliseconds'),
    p99Milliseconds: of('p99Milliseconds'),
    cpuMicroseconds: of('cpuMicroseconds'),
  };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle)]!) / 2;
}
