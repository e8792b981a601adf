import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  watch,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import sql from 'sql-template-tag';
import { expect, onTestFinished, test } from 'vitest';
import { migrationsFor } from '../../src/storage/migrations/migrations.ts';
import { openDatabase } from '../../src/storage/open.ts';
import { commandsOn, temporaryFolder } from '../command-line.ts';
import { effort } from '../effort.ts';
import { send } from '../test-server.ts';
import { startProcess } from './gatehouse-process.ts';

const program = fileURLToPath(new URL('../../bin/gatehouse.js', import.meta.url));
const firstKey = /gate_\w{36}/;

function place() {
  const folder = temporaryFolder();
  const file = path.join(folder, 'gatehouse.db');
  return { folder, file, url: `sqlite:${file}`, run: commandsOn(`sqlite:${file}`) };
}

/** Files in the folder that belong to no database. */
const leftovers = (folder: string) => readdirSync(folder).filter((name) => name.includes('.new-'));

/** Starts the service and kills it after this many events in the folder of its database, or when it is ready. */
async function killAtEvent(folder: string, url: string, events: number): Promise<{ wasReady: boolean }> {
  const child = spawn(process.execPath, [program, 'serve', '--port', '0'], {
    cwd: folder,
    env: { PATH: process.env.PATH, GATEHOUSE_DATABASE_URL: url },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let [count, wasReady] = [0, false];
  const watcher = watch(folder, () => {
    count += 1;
    if (count >= events) child.kill('SIGKILL');
  });
  child.stdout.on('data', (data) => {
    if (!String(data).includes('Gatehouse is ready')) return;
    wasReady = true;
    child.kill('SIGKILL');
  });
  await once(child, 'close');
  watcher.close();
  return { wasReady };
}

/** Checks that a database has everything that a first start creates. */
async function expectWhole(url: string): Promise<void> {
  const database = openDatabase(url);
  try {
    const applied = await database.all<{ name: string }>(sql`SELECT name FROM migrations ORDER BY name`);
    expect(applied.map(({ name }) => name)).toEqual(migrationsFor('sqlite').map(({ name }) => name));
    const counts = await database.get(sql`
      SELECT (SELECT count(*) FROM sites WHERE slug = 'main') AS sites, (SELECT count(*) FROM api_keys) AS keys`);
    expect(counts).toEqual({ sites: 1, keys: 1 });
  } finally {
    await database.close();
  }
}

test('a killed first start leaves no database or a complete one, and the next start cleans up', {
  timeout: 300_000,
}, async () => {
  const { folder, file, url } = place();
  const outcomes = { nothing: 0, whole: 0 };
  for (const events of effort.killEvents) {
    const { wasReady } = await killAtEvent(folder, url, events);
    const isThere = existsSync(file);
    outcomes[isThere ? 'whole' : 'nothing'] += 1;
    if (isThere) {
      await expectWhole(url);
      for (const name of readdirSync(folder)) if (!name.includes('.new-')) rmSync(path.join(folder, name));
    }
    if (wasReady) break;
  }
  // The first of them was killed as soon as its file existed.
  expect(outcomes.nothing).toBeGreaterThan(0);
  const { output } = await startProcess(url, { GATEHOUSE_LOG_LEVEL: 'info' });
  await expect.poll(output).toMatch(firstKey);
  expect(leftovers(folder)).toEqual([]);
  await expectWhole(url);
});

test('of several concurrent first starts one creates the database, and all serve it', {
  timeout: 180_000,
}, async () => {
  const { folder, file, url } = place();
  const processes = await Promise.all([1, 2, 3].map(() => startProcess(url)));
  await expect.poll(() => processes.filter(({ output }) => firstKey.test(output())).length).toBe(1);
  const key = processes.map(({ output }) => firstKey.exec(output())?.[0]).find((each) => each !== undefined);
  const headers = { authorization: `Bearer ${key}` };
  for (const { address } of processes) {
    expect((await send(`${address}/api/v1/site`, 'GET', { headers })).status).toBe(200);
  }
  expect(readFileSync(`${file}.key`, 'utf8')).toMatch(/^[\w-]{43}\n$/);
  expect(leftovers(folder)).toEqual([]);
  await expectWhole(url);
});

test('an empty file is not a new installation', { timeout: 180_000 }, async () => {
  const { folder, file, url, run } = place();
  writeFileSync(file, '');
  const commands = [
    ['serve', '--port', '0'],
    ['migrate'],
    ['site', 'create', '--slug', 'club'],
    ['key', 'list'],
    ['backup', 'copy.db'],
  ];
  for (const command of commands) {
    const { exitCode, stdout, json } = await run([...command, '--json']);
    expect({ command, exitCode, stdout }).toEqual({ command, exitCode: 1, stdout: '' });
    expect(json.error.code).toBe('database_damaged');
    expect(json.error.message).toMatch(/is empty.*\.\/gatehouse restore.*delete it/);
  }
  const { exitCode, json } = await run(['doctor', '--json']);
  expect(exitCode).toBe(1);
  expect(json.checks).toContainEqual(expect.objectContaining({ check: 'database', status: 'failed' }));
  expect([readdirSync(folder), statSync(file).size]).toEqual([['gatehouse.db'], 0]);
  // As the message says: after deleting the file, a new installation starts.
  rmSync(file);
  expect(await run(['serve', '--port', '0'])).toMatchObject({ exitCode: 0 });
  await expectWhole(url);
});

test('the journal of a deleted database is not applied to a new one', async () => {
  const { file, run } = place();
  writeFileSync(`${file}-wal`, 'changes');
  const { exitCode, json } = await run(['migrate', '--json']);
  expect(exitCode).toBe(1);
  expect(json.error.message).toContain(`but ${file}-wal contains changes`);
  expect(existsSync(file)).toBe(false);
});

test('only commands that start an installation create a database', async () => {
  const { folder, run } = place();
  for (const command of [
    ['site', 'list'],
    ['key', 'create', '--name', 'x'],
    ['operator', 'list'],
  ]) {
    const { exitCode, json } = await run([...command, '--json']);
    expect({ exitCode, code: json.error.code }).toEqual({ exitCode: 1, code: 'database_missing' });
  }
  expect(readdirSync(folder)).toEqual([]);
  expect((await run(['site', 'create', '--slug', 'club', '--json'])).json.slug).toBe('club');
  expect((await run(['migrate', '--json'])).json).toEqual({ applied: [] });
  expect(leftovers(folder)).toEqual([]);
});

test('only the owner can access the files of a database, in any folder', {
  timeout: 180_000,
}, async () => {
  const { folder, file, url, run } = place();
  const before = process.umask(0);
  onTestFinished(() => void process.umask(before));
  chmodSync(folder, 0o777);
  const modes = () =>
    Object.fromEntries(
      readdirSync(folder).map((name) => [name, (statSync(path.join(folder, name)).mode & 0o777).toString(8)]),
    );
  const first = await startProcess(url);
  const files = Object.keys(modes());
  expect(files).toEqual(expect.arrayContaining(['gatehouse.db', 'gatehouse.db-shm', 'gatehouse.db-wal']));
  expect(new Set(Object.values(modes()))).toEqual(new Set(['600']));

  // An older file that others can read.
  await first.kill();
  for (const name of files) chmodSync(path.join(folder, name), 0o644);
  const second = await startProcess(url);
  expect(modes()).toMatchObject({
    'gatehouse.db': '600',
    'gatehouse.db-shm': '600',
    'gatehouse.db-wal': '600',
  });
  await run(['backup', path.join(folder, 'copy.db')]);
  await second.kill();
  chmodSync(file, 0o644);
  expect(await run(['restore', path.join(folder, 'copy.db')])).toMatchObject({ exitCode: 0 });
  expect(new Set(Object.values(modes()))).toEqual(new Set(['600']));
});
