// A first start as a user makes it: a fresh clone, `npm start`, the printed line pasted, 10,000 people imported from a
// file and read back through the API, and an orderly stop.

import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const startTimeoutSeconds = 300;
const stopTimeoutSeconds = 10;
const people = Array.from({ length: 10_000 }, (_, i) => ({
  email: `person-${i}@example.org`,
  name: `Person ${i}`,
}));

const folder = mkdtempSync(path.join(tmpdir(), 'gatehouse-smoke-'));
const clone = path.join(folder, 'gatehouse');
const port = await freePort();
const baseUrl = `http://localhost:${port}`;

makeClone();
const gatehouse = startGatehouse();
process.once('SIGTERM', () => void gatehouse.kill().then(() => process.exit(1)));
try {
  const curlLine = await gatehouse.printed(/^\s*(curl .*)$/m);
  const key = /Bearer (gate_\w+)/.exec(curlLine)?.[1] ?? '';
  console.log(`started, and printed: ${curlLine}`);

  const answer = JSON.parse(shell(curlLine));
  assert.ok(answer.data?.email, `the printed line was answered ${JSON.stringify(answer)}`);
  console.log(`the printed line made ${answer.data.email}`);

  importPeople(key);
  const found = await allAddresses(key);
  assert.equal(found.length, people.length + 1, 'number of members');
  assert.deepEqual(new Set(found), new Set([answer.data.email, ...people.map(({ email }) => email)]));
  console.log(`${people.length} people imported and read back`);

  await gatehouse.stop();
  console.log('stopped');
} catch (error) {
  console.error(gatehouse.output());
  throw error;
} finally {
  await gatehouse.kill();
  rmSync(folder, { recursive: true, force: true });
}

/** What is committed, and nothing else; `git clone` refuses a repository that another user owns. */
function makeClone() {
  const root = path.resolve(import.meta.dirname, '..');
  mkdirSync(clone);
  const archive = execFileSync('git', ['-c', `safe.directory=${root}`, 'archive', 'HEAD'], {
    cwd: root,
    maxBuffer: 1e9,
  });
  execFileSync('tar', ['-x', '-C', clone], { input: archive });
}

function startGatehouse() {
  // Detached: a process group of its own, so that nothing of it can be left behind.
  const npm = spawn('npm', ['start'], {
    cwd: clone,
    env: { ...userEnvironment(), GATEHOUSE_PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let output = '';
  for (const stream of [npm.stdout, npm.stderr]) stream.on('data', (text) => (output += text));
  const hasEnded = () => npm.exitCode !== null || npm.signalCode !== null;

  return {
    output: () => output,
    async printed(pattern: RegExp): Promise<string> {
      for (let second = 0; second < startTimeoutSeconds && !hasEnded(); second += 0.1, await sleep(100)) {
        const match = pattern.exec(output);
        if (match?.[1]) return match[1];
      }
      throw new Error(`npm start has not printed ${pattern}`);
    },
    async stop() {
      npm.kill('SIGTERM');
      await Promise.race([ended(npm), sleep(stopTimeoutSeconds * 1000, undefined, { ref: false })]);
      assert.ok(hasEnded(), `still running ${stopTimeoutSeconds} s after SIGTERM`);
      assert.equal(npm.exitCode, 0, 'exit code after SIGTERM');
      await assert.rejects(fetch(baseUrl), 'something still listens');
    },
    async kill() {
      if (hasEnded() || !npm.pid) return;
      process.kill(-npm.pid, 'SIGKILL');
      await ended(npm);
    },
  };
}

async function ended(child: ChildProcess) {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

function importPeople(key: string) {
  const rows = people.map(({ email, name }) => `${email},${name}`);
  writeFileSync(path.join(clone, 'people.csv'), ['email,displayName', ...rows, ''].join('\n'));
  shell(`npx gatehouse member import people.csv --url ${baseUrl} --key ${key} --json`);
}

type Page = { data: { email: string }[]; pagination: { hasMore: boolean; nextCursor: string | null } };

async function allAddresses(key: string): Promise<string[]> {
  const addresses: string[] = [];
  for (let after = ''; ; ) {
    const response = await fetch(`${baseUrl}/api/v1/members?limit=100${after}`, {
      headers: { Authorization: `Bearer ${key}` },
    });
    assert.equal(response.status, 200);
    const { data, pagination } = (await response.json()) as Page;
    addresses.push(...data.map((member) => member.email));
    if (!pagination.hasMore) return addresses;
    after = `&after=${pagination.nextCursor}`;
  }
}

function shell(line: string): string {
  return execFileSync('sh', ['-c', line], {
    cwd: clone,
    env: userEnvironment(),
    encoding: 'utf8',
    maxBuffer: 1e9,
  });
}

/** Without what npm and this repository's own scripts have set. */
function userEnvironment(): NodeJS.ProcessEnv {
  const own = (name: string) => name.startsWith('npm_') || name.startsWith('GATEHOUSE_') || name === 'NODE';
  const kept = Object.entries(process.env).filter(([name]) => !own(name));
  const PATH = process.env.PATH?.split(path.delimiter).filter((each) => !each.includes('node_modules'));
  return { ...Object.fromEntries(kept), PATH: PATH?.join(path.delimiter) };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  return port;
}
