import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sql from 'sql-template-tag';
import { beforeEach, expect, test } from 'vitest';
import { openDatabase } from '../../src/storage/open.ts';
import { noteSkipped } from '../skipped.ts';
import { BulkWriters, expectExactCounter, expectWholeRequests } from './bulk-writers.ts';
import { eventually, makeSite, requestsWith, startProcess } from './gatehouse-process.ts';

// A separate disk, small enough to fill. Only root can create one, and CI runs as root.
const isRoot = process.getuid?.() === 0;
if (!isRoot) noteSkipped('the test of a full disk requires root.');

(isRoot || process.env.CI ? test : test.skip)(
  'a full disk loses nothing, and Gatehouse recovers by itself',
  async () => {
    const { gatehouse, databaseUrl, siteId, request } = await startOnDisk(disk);
    const groupId = (await request('POST', '/access-groups', { name: 'Everybody' }))!.body.data.id;
    const reserve = path.join(disk, 'reserve');
    writeFileSync(reserve, Buffer.alloc(2 << 20));
    const writers = new BulkWriters(request, groupId, { writers: 2 });
    await eventually('a first response', 10_000, async () => writers.answered(207) > 0);

    const ballast = path.join(disk, 'ballast');
    fillUp(ballast);
    await eventually(
      'a response that the store is unavailable',
      30_000,
      async () => writers.answered(503) > 0,
    );
    // The space that a failed write frees may be enough for a small one.
    const rejected = await eventually('a small write that is rejected', 30_000, async () => {
      fillUp(ballast);
      const small = { email: `${randomUUID()}@example.com`, accessGroupIds: [groupId] };
      const answer = await request('POST', '/members', small);
      return answer?.status === 201 ? undefined : answer;
    });
    expect([rejected!.status, rejected!.body.error?.code]).toEqual([503, 'unavailable']);
    expect(rejected!.headers.get('retry-after')).toMatch(/^\d+$/);
    expect((await request('GET', '/members?limit=1'))!.status).toBe(200);
    const healthOf = async (path: string) => (await fetch(gatehouse.address + path)).status;
    await eventually('a failed check of writes', 30_000, async () => {
      fillUp(ballast);
      return (await healthOf('/readyz/writes')) === 503;
    });
    expect(await healthOf('/readyz')).toBe(200);

    rmSync(ballast);
    await eventually('a successful write', 20_000, async () => {
      const answer = await request('POST', '/members/bulk', {
        members: [{ email: 'room@example.com' }],
        accessGroupIds: [groupId],
      });
      return answer?.status === 207;
    });
    // They may have filled the disk again.
    await writers.stop();
    rmSync(reserve);
    await eventually('a successful check', 20_000, async () => (await healthOf('/readyz/writes')) === 200);
    const statuses = new Set(writers.sent.map(({ status }) => status));
    expect([...statuses].every((status) => status === 207 || status === 503)).toBe(true);

    await gatehouse.kill();
    const database = openDatabase(databaseUrl);
    await expectWholeRequests(database, siteId, writers.sent);
    await expectExactCounter(database, siteId, groupId);
    expect(await database.all(sql`PRAGMA integrity_check`)).toEqual([{ integrity_check: 'ok' }]);
    await database.close();
  },
);

let disk: string;

beforeEach(() => {
  disk = mkdtempSync(path.join(tmpdir(), 'gatehouse-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=12m', 'gatehouse-test', disk]);
  return () => {
    execFileSync('umount', ['--lazy', disk]);
    rmdirSync(disk);
  };
});

async function startOnDisk(folder: string) {
  const databaseUrl = `sqlite:${path.join(folder, 'gatehouse.db')}`;
  const { siteId, key } = await makeSite(databaseUrl);
  const gatehouse = await startProcess(databaseUrl);
  return { gatehouse, databaseUrl, siteId, request: requestsWith(key, () => gatehouse.address) };
}

/** Writes until the disk is full. */
function fillUp(file: string): void {
  for (const size of [1 << 20, 1 << 16, 1 << 12]) {
    try {
      for (;;) writeFileSync(file, Buffer.alloc(size), { flag: 'a' });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    }
  }
}
