import { type ChildProcess, execFileSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sql from 'sql-template-tag';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../src/storage/open.ts';
import { commandsOn } from '../command-line.ts';
import { contentOf } from '../copies/every-table.ts';
import { aFilledFile, membersOfFilledFile } from '../copies/filled-file.ts';
import { startRelay } from '../relay.ts';
import { secretKey } from '../secret-key.ts';
import { noteSkipped } from '../skipped.ts';
import { forEachStore, forOneStore } from '../stores.ts';

const env = { GATEHOUSE_SECRET_KEY: secretKey };
const advice = 'Nothing is lost: the same command continues.';

/** Copies in a process of its own, and does something when the first rows of members are copied. */
async function copyUntil(source: string, target: string, whenCopying: (child: ChildProcess) => void) {
  const whileRunning = (child: ChildProcess) =>
    void child.stderr!.on('data', function onData(data: Buffer) {
      if (!String(data).includes('Copying rows')) return;
      child.stderr!.off('data', onData);
      whenCopying(child);
    });
  return commandsOn(source)(['copy', '--to', target], { env, whileRunning });
}

async function expectContinued(source: string, target: string, like: string): Promise<void> {
  const before = await contentOf(source, like);
  const { exitCode, stderr, json } = await commandsOn(source)(['copy', '--to', target, '--json'], { env });
  expect([exitCode, stderr]).toEqual([0, '']);
  expect(json.rows).toBeGreaterThan(membersOfFilledFile);
  expect(await contentOf(target, like)).toEqual(before);
}

forEachStore((store) => {
  test.each(['SIGINT', 'SIGTERM'] as const)(
    'after %s a copy says how to continue it, and how to use its source again',
    async (signal) => {
      const [source, target] = [await aFilledFile(), await store.freshUrl()];
      const { exitCode, stderr } = await copyUntil(source, target, (child) => void child.kill(signal));
      expect([exitCode, stderr]).toEqual([1, expect.stringContaining(`Interrupted. ${advice}`)]);
      const run = commandsOn(source);
      expect((await run(['site', 'list'])).stderr).toContain('This database is being copied to');
      await expectContinued(source, target, await store.migratedUrl());
    },
  );

  test('a source that is used again after an interrupted copy is copied only to another database', async () => {
    const [source, target] = [await aFilledFile(), await store.freshUrl()];
    await copyUntil(source, target, (child) => void child.kill('SIGINT'));
    const run = commandsOn(source);
    expect((await run(['copy', '--reopen'])).exitCode).toBe(0);
    expect((await run(['site', 'create', '--slug', 'later'])).exitCode).toBe(0);
    const { json } = await run(['copy', '--to', target, '--json'], { env });
    expect(json.error.code).toBe('target_other_copy');
    await expectContinued(source, await store.freshUrl(), await store.migratedUrl());
  });

  if (store.dialect === 'sqlite') return;

  test('a copy that has lost the target is continued', async () => {
    const [source, target] = [await aFilledFile(), await store.freshUrl()];
    const url = new URL(target);
    const port = Number(url.port);
    const relay = await startRelay(port);
    onTestFinished(() => relay.close());
    url.port = String(relay.port);
    const { exitCode, stderr } = await copyUntil(source, url.href, () => relay.leadTo(undefined));
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('The copy was interrupted. ')]);
    expect(stderr).toContain(advice);
    relay.leadTo(port);
    await expectContinued(source, url.href, await store.migratedUrl());
  });
});

// A separate disk, small enough to fill. Only root can create one, and CI runs as root.
const isRoot = process.getuid?.() === 0;
if (!isRoot) noteSkipped('the test of a copy on a full disk requires root.');

forOneStore((store) => {
  (isRoot || process.env.CI ? test : test.skip)(
    'a copy on a full disk is continued when there is space',
    async () => {
      const source = await aFilledFile();
      const disk = mkdtempSync(path.join(tmpdir(), 'gatehouse-disk-'));
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'gatehouse-test', disk]);
      onTestFinished(() => {
        execFileSync('umount', ['--lazy', disk]);
        rmdirSync(disk);
      });
      const target = `sqlite:${path.join(disk, 'gatehouse.db')}`;
      const { exitCode, json } = await commandsOn(source)(['copy', '--to', target, '--json'], { env });
      expect([exitCode, json.error.message]).toEqual([1, expect.stringContaining(advice)]);
      execFileSync('mount', ['-o', 'remount,size=100m', disk]);
      await expectContinued(source, target, await store.migratedUrl());
      const database = openDatabase(target);
      expect(await database.all(sql`PRAGMA integrity_check`)).toEqual([{ integrity_check: 'ok' }]);
      await database.close();
    },
  );
});
