import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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

describe('a file that another process takes for a leftover', () => {
  const locked = () => new StoreUnavailable(Object.assign(new Error('database is locked'), { errcode: 5 }));
  const broken = () => new StoreUnavailable(new Error('disk I/O error'));

  /** Creates a file; `build` gets the number of the try, and a function that deletes the files as another process does. */
  async function create(build: (tries: number, deleteFiles: () => void) => void, name = 'gatehouse.db') {
    const folder = temporaryFolder();
    const deleteFiles = () => readdirSync(folder).forEach((each) => void rmSync(path.join(folder, each)));
    let tries = 0;
    const result = await createSqliteFile(path.join(folder, name), async () => {
      tries += 1;
      build(tries, deleteFiles);
    }).catch((error: Error) => error.message);
    return { tries, result, files: readdirSync(folder) };
  }

  test('is built again when it was deleted', async () => {
    const outcome = await create((tries, deleteFiles) => {
      if (tries > 1) return;
      deleteFiles();
      throw broken();
    });
    expect(outcome).toEqual({ tries: 2, result: true, files: ['gatehouse.db'] });
  });

  test('is built again when it was locked, but only a few times', async () => {
    const once = await create((tries) => {
      if (tries === 1) throw locked();
    });
    expect(once).toEqual({ tries: 2, result: true, files: ['gatehouse.db'] });
    const always = await create(() => {
      throw locked();
    });
    expect(always).toEqual({ tries: 3, result: 'database is locked', files: [] });
  });

  test('is not built for ever', async () => {
    const { result, files } = await create((_, deleteFiles) => deleteFiles());
    expect(result).toMatch(/could not be created: another program deletes its files/);
    expect(files).toEqual([]);
  });

  test('no other error leads to another try', async () => {
    const outcome = await create(() => {
      throw broken();
    });
    expect(outcome).toEqual({ tries: 1, result: 'disk I/O error', files: [] });
    // The file system accepts the name, but not that of the temporary file.
    const { tries, result } = await create(() => {}, `${'x'.repeat(240)}.db`);
    expect({ tries, result }).toEqual({ tries: 0, result: expect.stringContaining('ENAMETOOLONG') });
  });
});
