import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { newId } from '../../src/base/ids.ts';
import { createApiKey, type NewApiKey } from '../../src/domain/api-keys/api-keys.ts';
import { createSite } from '../../src/domain/sites/sites.ts';
import { migrate } from '../../src/storage/migrations/migrations.ts';
import { openDatabase } from '../../src/storage/open.ts';
import { changing } from '../change.ts';
import { secretKeyFor } from '../secret-key.ts';
import { send, type TestResponse } from '../test-server.ts';

const command = fileURLToPath(new URL('../../bin/gatehouse.js', import.meta.url));

/** `./gatehouse serve` as a separate process. */
export interface GatehouseProcess {
  readonly pid: number;
  readonly address: string;
  readonly child: ChildProcess;
  /** Its output so far. */
  output(): string;
  /** The exit code; null when a signal ended it. */
  readonly exited: Promise<number | null>;
  /** The memory it uses, in bytes. */
  residentBytes(): number;
  kill(): Promise<void>;
}

/** Where a process runs, and the file that its output goes to instead of a pipe. */
export interface ProcessPlace {
  readonly cwd: string;
  readonly log: string;
  readonly output: number;
}

/** Starts it on a free port and waits until it responds; it is killed after the test at the latest. */
export async function startProcess(
  databaseUrl: string,
  settings: Record<string, string | number> = {},
  place?: ProcessPlace,
): Promise<GatehouseProcess> {
  const own = Object.entries(process.env).filter(
    ([name]) => !/^(GATEHOUSE_|VITEST|NODE_OPTIONS|container$)/.test(name),
  );
  const child = spawn(process.execPath, [command, 'serve'], {
    env: {
      ...Object.fromEntries(own),
      GATEHOUSE_DATABASE_URL: databaseUrl,
      ...secretKeyFor(databaseUrl),
      GATEHOUSE_PORT: '0',
      GATEHOUSE_RATE_LIMIT: '0',
      GATEHOUSE_RATE_LIMIT_UNAUTHENTICATED: '0',
      ...Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, String(value)])),
    },
    ...(place && { cwd: place.cwd }),
    stdio: ['ignore', place?.output ?? 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  const kill = async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    await exited;
  };
  onTestFinished(kill);

  let output = '';
  child.stderr!.on('data', (data) => {
    output += data;
  });
  const address = await new Promise<string>((resolve, reject) => {
    exited.then((code) => reject(new Error(`Gatehouse ended with ${code}:\n${output}`)));
    const lines = child.stdout ? createInterface({ input: child.stdout }) : linesOfFile(place!.log, exited);
    lines.on('line', (line: string) => {
      output += `${line}\n`;
      const found = /"address":"(http:[^"]+)"/.exec(line)?.[1];
      if (found) resolve(found);
    });
  });
  return {
    pid: child.pid!,
    address,
    child,
    output: () => output,
    exited,
    residentBytes: () =>
      Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) * 1024,
    kill,
  };
}

/** A new site and its key, created without the service, on a database that may be empty. */
export async function makeSite(
  databaseUrl: string,
  input: Partial<NewApiKey> = {},
): Promise<{ siteId: string; keyId: string; key: string }> {
  const database = openDatabase(databaseUrl);
  try {
    await migrate(database);
    return await changing(database, newId(), async (change) => {
      const site = await createSite(change, { slug: `s${Date.now()}` });
      const { secret, apiKey } = await createApiKey(change, { name: 'Test key', ...input });
      return { siteId: site.id, keyId: apiKey.id, key: secret };
    });
  } finally {
    await database.close();
  }
}

/** Requests with a key to a server that may change its address. A missing response is undefined. */
export function requestsWith(key: string, address: () => string) {
  return (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    send(`${address()}/api/v1${path}`, method, {
      body,
      headers: { authorization: `Bearer ${key}`, ...headers },
    }).catch((): TestResponse | undefined => undefined);
}

/** Waits until a condition holds, for at most this time. */
export async function eventually<T>(
  what: string,
  milliseconds: number,
  look: () => Promise<T | undefined | false>,
): Promise<T> {
  for (const end = Date.now() + milliseconds; ; ) {
    const found = await look();
    if (found) return found;
    if (Date.now() > end) throw new Error(`${what}: not within ${milliseconds} ms.`);
    await sleep(20);
  }
}

/** The lines of a file that a process writes, until it ends. */
function linesOfFile(file: string, exited: Promise<unknown>): EventEmitter {
  const lines = new EventEmitter();
  let seen = 0;
  const poll = setInterval(() => {
    const complete = readFileSync(file, 'utf8').split('\n').slice(0, -1);
    for (const line of complete.slice(seen)) lines.emit('line', line);
    seen = complete.length;
  }, 50);
  exited.finally(() => clearInterval(poll));
  return lines;
}
