import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { StoreUnavailable } from '../../src/storage/errors.ts';
import { createSqliteFile } from '../../src/storage/sqlite/new-sqlite-file.ts';
import { temporaryFolder } from '../command-line.ts';
import { effort } from '../effort.ts';

const script = path.join(import.meta.dirname, 'first-start-process.ts');
let processes: ChildProcess[];

beforeAll(async () => {
  processes = [1, 2, 3, 4].map(() => fork(script, { execArgv: [] }));
  await Promise.all(processes.map((each) => once(each, 'message')));
});
afterAll(() => {
  for (const each of processes) each.kill();
});

test('one of several processes creates the database, and no other fails or leaves a file', {
  timeout: 60_000 + effort.firstStarts * 1_000,
}, async () => {
  for (let round = 0; round < effort.firstStarts; round += 1) {
    const folder = temporaryFolder();
    const results = await Promise.all(
      processes.map(async (each) => {
        each.send(path.join(folder, 'gatehouse.db'));
        return (await once(each, 'message'))[0] as boolean | string;
      }),
    );
    expect(results.toSorted()).toEqual([false, false, false, true]);
    expect(readdirSync(folder)).toEqual(['gatehouse.db']);
    expect(readFileSync(path.join(folder, 'gatehouse.db'), 'utf8')).toContain('made_once');
    rmSync(folder, { recursive: true });
  }
});

test('a file that another process has deleted is built again, and any other error is thrown', async () => {
  const folder = temporaryFolder();
  const file = path.join(folder, 'gatehouse.db');
  let builds = 0;
  const build = async () => {
    builds += 1;
    if (builds === 1) for (const name of readdirSync(folder)) rmSync(path.join(folder, name));
    if (builds < 3) throw new StoreUnavailable(new Error('disk I/O error'));
  };
  await expect(createSqliteFile(file, build)).rejects.toThrow('disk I/O error');
  expect([builds, readdirSync(folder)]).toEqual([2, []]);
  expect(await createSqliteFile(file, build)).toBe(true);
});
