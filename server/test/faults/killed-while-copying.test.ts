import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { findClosure } from '../../src/storage/migrations/migrations.ts';
import { openDatabase } from '../../src/storage/open.ts';
import { commandsOn, temporaryFolder } from '../command-line.ts';
import { contentOf } from '../copies/every-table.ts';
import { aFilledFile } from '../copies/filled-file.ts';
import { effort } from '../effort.ts';
import { secretKey } from '../secret-key.ts';
import { randomNumbers } from '../seed.ts';
import { forEachStore } from '../stores.ts';

const env = { GATEHOUSE_SECRET_KEY: secretKey };

forEachStore((store) => {
  test('killed at any moment, a copy is continued by the next one, and is then complete', {
    timeout: 600_000,
  }, async () => {
    const random = randomNumbers();
    let killed = 0;
    for (let left = effort.copyKills; left > 0; ) {
      const source = await aFilledFile();
      const target = await store.freshUrl();
      const before = await contentOf(source, await store.migratedUrl());
      // Later and later kills, until the copy is complete.
      for (; left > 0 && (await stateOf(source)) !== 'copied'; left -= 1) {
        killed += (await killCopy(source, target, random())) ? 1 : 0;
      }
      await expectClosed(source);
      const run = commandsOn(source);
      if ((await stateOf(source)) !== 'copied' || (await stateOf(target)) !== undefined) {
        const { exitCode, stderr } = await run(['copy', '--to', target, '--json'], { env });
        expect([exitCode, stderr]).toEqual([0, '']);
      }
      expect(await contentOf(target)).toEqual(before);
      expect((await run(['serve'], { env: { GATEHOUSE_PORT: '0' } })).stderr).toContain('was copied to');
    }
    expect(killed).toBeGreaterThan(0);
  });
});

/** Starts a copy and kills it at a random place of its progress. Returns false if it was complete before. */
async function killCopy(source: string, target: string, when: number): Promise<boolean> {
  const program = path.resolve(import.meta.dirname, '../../bin/gatehouse.js');
  const child = spawn(process.execPath, [program, 'copy', '--to', target], {
    env: { PATH: process.env.PATH, ...env, GATEHOUSE_DATABASE_URL: source },
    cwd: temporaryFolder(),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(child, 'close') as Promise<[number | null]>;
  await Promise.race([untilProgress(child, Math.floor(when * 20)), ended]);
  await sleep((when * 1_000) % 10);
  child.kill('SIGKILL');
  const [exitCode] = await ended;
  return exitCode === null;
}

/** Waits for this number of lines about the progress: a tenth of the rows that are copied, then of those compared. */
async function untilProgress(child: ChildProcess, count: number): Promise<void> {
  let lines = 0;
  if (count === 0) return;
  for await (const data of child.stderr!) {
    lines += String(data).split('\n').length - 1;
    if (lines >= count) return;
  }
}

async function stateOf(url: string): Promise<string | undefined> {
  const database = openDatabase(url);
  const exists = await database.get(
    database.dialect === 'sqlite'
      ? sql`SELECT 1 FROM sqlite_schema WHERE name = 'migrations'`
      : sql`SELECT 1 FROM pg_class WHERE oid = to_regclass('migrations')`,
  );
  const closure = exists === undefined ? undefined : await findClosure(database);
  await database.close();
  return closure?.state;
}

/** Whatever has happened, no service starts with both databases. */
async function expectClosed(source: string): Promise<void> {
  const state = await stateOf(source);
  if (state === undefined) return; // It was killed before it began.
  const { exitCode, json } = await commandsOn(source)(['site', 'list', '--json']);
  expect([exitCode, json.error.code]).toEqual([1, 'database_closed']);
}
