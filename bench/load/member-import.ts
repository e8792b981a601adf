import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { ServerProcess } from '../process.ts';

const pollMilliseconds = 20;
const program = fileURLToPath(new URL('../../server/bin/gatehouse.js', import.meta.url));

/** What an import reported, its time and its largest memory. */
export interface MeasuredImport {
  /** Null if it was killed. */
  readonly report: { readonly created: number; readonly rows: number; readonly failed: number } | null;
  readonly seconds: number;
  readonly mebibytes: number;
}

/** Runs `member import` in a process of its own. */
export async function importList(
  { address, key }: ServerProcess,
  file: string,
  options: readonly string[] = [],
  whileRunning: (child: ChildProcess) => void = () => {},
): Promise<MeasuredImport> {
  const start = performance.now();
  const child = spawn(process.execPath, [program, 'member', 'import', file, '--json', ...options], {
    env: { PATH: process.env.PATH, GATEHOUSE_URL: address, GATEHOUSE_KEY: key },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let mebibytes = 0;
  const watching = setInterval(() => {
    mebibytes = Math.max(mebibytes, peakMebibytes(child.pid!));
  }, pollMilliseconds);
  whileRunning(child);
  let output = '';
  child.stdout.on('data', (part: Buffer) => {
    output += part.toString();
  });
  await once(child, 'close');
  clearInterval(watching);
  const report = child.signalCode === null ? JSON.parse(output) : null;
  return { report, seconds: (performance.now() - start) / 1_000, mebibytes };
}

function peakMebibytes(pid: number): number {
  try {
    const found = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return found ? Number(found[1]) / 1_024 : 0;
  } catch {
    return 0; // It has just ended.
  }
}
