import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';
import { commandsOn, temporaryFile, temporaryFolder } from '../../../test/command-line.ts';
import { day, hour, movableTime } from '../../../test/movable-time.ts';
import { forEachStore } from '../../../test/stores.ts';
import { startTestServer } from '../../../test/test-server.ts';
import { backupSettings } from '../../app/settings/service-settings.ts';
import { readSettings } from '../../app/settings/settings.ts';
import { checkBackups } from '../../commands/doctor/checks/database/backup-check.ts';
import { ensureOperatorTenant } from '../../domain/sites/operator-tenant.ts';
import { makeBackupInThread } from '../../runtime/threads/backup-thread.ts';
import { openDatabase } from '../../storage/open.ts';
import { inspectSqliteFile } from '../../storage/sqlite/sqlite-file.ts';
import { JobRunner } from '../runner.ts';
import { findBackupFailure } from './backup-failure.ts';
import { parseBackupRetention, parseBackupSchedule } from './backup-schedule.ts';
import { Backups } from './backups.ts';

/** Long enough for the first pause after a failure, with its jitter. */
const pauseMilliseconds = 90_000;

forEachStore((store) => {
  if (store.dialect === 'postgres') {
    test('PostgreSQL has no scheduled backups, and the setting is rejected', () => {
      const settings = { GATEHOUSE_DATABASE_URL: 'postgres://localhost/x', GATEHOUSE_BACKUP_FOLDER: '/b' };
      expect(() => readSettings(settings, '')).toThrow('GATEHOUSE_BACKUP_FOLDER is set, and PostgreSQL');
    });
    return;
  }

  interface Given {
    readonly schedule?: string;
    readonly keep?: string;
    readonly makeBackup?: typeof makeBackupInThread;
  }

  /** An installation at 12:00 UTC with its schedule, and processes that have it. */
  async function anInstallation({
    schedule = '03:00',
    keep = '3',
    makeBackup = makeBackupInThread,
  }: Given = {}) {
    const url = await store.migratedUrl();
    const folder = temporaryFolder();
    const database = url.slice('sqlite:'.length);
    const time = movableTime();
    time.advance(day - (time.clock().getTime() % day) + 12 * hour);
    const start = () => {
      const opened = openDatabase(url);
      const errors: string[] = [];
      const job = new Backups({
        store: opened,
        database,
        folder,
        makeBackup,
        clock: time.clock,
        report: () => {},
        schedule: parseBackupSchedule(schedule)!,
        retention: parseBackupRetention(keep)!,
      });
      const onError = (_: unknown, error: unknown) => errors.push((error as Error).message);
      const runner = new JobRunner([job], { database: opened, ...time, onError });
      onTestFinished(async () => {
        await runner.stop();
        await opened.close();
      });
      const after = async (milliseconds: number) => {
        time.advance(milliseconds);
        await runner.idle();
      };
      return { runner, errors, opened, after };
    };
    const process = start();
    const tenant = await ensureOperatorTenant(process.opened, 'http://localhost:8080');
    const files = () => readdirSync(folder).sort();
    return { ...process, start, time, folder, database, url, files, mark: tenant.id.slice(-8) };
  }

  describe('scheduled backups', () => {
    test('are made at once if there is none, and then at each time of the schedule, also across restarts', async () => {
      const { runner, after, start, time, files, folder, mark, errors } = await anInstallation();
      const date = (days: number) => new Date(time.clock().getTime() + days * day).toISOString().slice(0, 10);
      const [today, tomorrow] = [date(0), date(1)];
      runner.start();
      await runner.idle();
      const first = `gatehouse-${today}T12-00-00Z-${mark}.db`;
      expect(files()).toEqual([first]);
      expect(inspectSqliteFile(path.join(folder, first)).problems).toEqual([]);
      await after(15 * hour - 60_000);
      expect(files()).toEqual([first]);
      await after(60_000);
      const second = `gatehouse-${tomorrow}T03-00-00Z-${mark}.db`;
      expect(files()).toEqual([first, second]);

      await runner.stop();
      const restarted = start();
      restarted.runner.start();
      await restarted.runner.idle();
      await restarted.after(23 * hour);
      expect(files()).toEqual([first, second]);
      await restarted.after(hour);
      expect(files()).toHaveLength(3);
      expect([errors, restarted.errors]).toEqual([[], []]);
    });

    test('are made once by two processes', async () => {
      const { runner, start, files, errors } = await anInstallation();
      const other = start();
      runner.start();
      other.runner.start();
      await Promise.all([runner.idle(), other.runner.idle()]);
      expect([files().length, errors, other.errors]).toEqual([1, [], []]);
    });

    test('replace the oldest ones, and no file that the installation has not made', async () => {
      const { runner, after, files, folder, mark, time } = await anInstallation({
        schedule: '6h',
        keep: '2',
      });
      const others = [
        'gatehouse-2026-11-21.db',
        'gatehouse-2020-01-01T00-00-00Z.db',
        'gatehouse-2020-01-01T00-00-00Z-00000000.db',
        `club-2020-01-01T00-00-00Z-${mark}.db`,
        `gatehouse-2020-01-01T00-00-00Z-${mark}.db.old`,
        `gatehouse-2999-01-01T00-00-00Z-${mark}.db`,
        'notes.txt',
      ].sort();
      for (const name of others) writeFileSync(path.join(folder, name), name);
      mkdirSync(path.join(folder, 'empty'));
      const unfinished = ['1', '2'].map((pid) => `gatehouse-2020-01-01T00-00-00Z-${mark}.db.part-${pid}`);
      for (const name of unfinished) writeFileSync(path.join(folder, name), name);
      const longAgo = new Date(time.clock().getTime() - 2 * day);
      utimesSync(path.join(folder, unfinished[0]!), longAgo, longAgo);
      const now = time.clock();
      utimesSync(path.join(folder, unfinished[1]!), now, now);
      runner.start();
      await runner.idle();
      for (let times = 0; times < 3; times += 1) await after(6 * hour);
      const left = files();
      expect(left).toEqual(expect.arrayContaining([...others, 'empty', unfinished[1]]));
      const own = left.filter((name) => ![...others, 'empty', unfinished[1]].includes(name));
      const newest = time.clock().toISOString().slice(0, 10);
      expect(own).toEqual([
        `gatehouse-${newest}T00-00-00Z-${mark}.db`,
        `gatehouse-${newest}T06-00-00Z-${mark}.db`,
      ]);
    });

    test('are kept for so many days, and the newest one for ever', async () => {
      const { runner, after, files } = await anInstallation({ schedule: '1d', keep: '2d' });
      runner.start();
      await runner.idle();
      for (let days = 0; days < 4; days += 1) await after(day);
      expect(files()).toHaveLength(3);
      await after(30 * day);
      expect(files()).toHaveLength(1);
    });
  });

  describe('a scheduled backup that fails', () => {
    test('is reported, deletes nothing, and is tried again', async () => {
      const { runner, after, files, folder, database, errors } = await anInstallation({
        schedule: '6h',
        keep: '1',
      });
      runner.start();
      await runner.idle();
      const [first] = files();
      const hidden = `${folder}-hidden`;
      onTestFinished(() => rmSync(hidden, { recursive: true, force: true }));
      renameSync(folder, hidden);
      await after(6 * hour);
      expect(errors).toEqual([expect.stringContaining(`There is no folder ${folder}. Create it`)]);
      expect((await findBackupFailure(database))?.message).toBe(errors[0]);
      renameSync(hidden, folder);
      expect(files()).toEqual([first]);
      await after(pauseMilliseconds);
      expect(files()).toHaveLength(1);
      expect(files()).not.toContain(first);
      expect(await findBackupFailure(database)).toBeUndefined();
    });

    test('because the database is damaged keeps the last intact one', async () => {
      let damaged: string | undefined;
      const { runner, after, files, folder, errors } = await anInstallation({
        schedule: '6h',
        keep: '1',
        makeBackup: ({ database, file }, stopping) =>
          makeBackupInThread({ database: damaged ?? database, file }, stopping),
      });
      runner.start();
      await runner.idle();
      const intact = files();
      const bytes = readFileSync(path.join(folder, intact[0]!));
      bytes.fill(0x5a, 12_288, 40_960);
      damaged = temporaryFile('damaged.db', bytes);
      await after(6 * hour);
      expect(errors).toEqual([expect.stringMatching(/damaged|malformed/)]);
      expect(files()).toEqual(intact);
    });

    test('because Gatehouse stops leaves no file and is no failure', async () => {
      const database = path.join(temporaryFolder(), 'large.db');
      const large = new DatabaseSync(database);
      large.exec('CREATE TABLE filler (content); INSERT INTO filler VALUES (zeroblob(20000000))');
      large.close();
      const folder = temporaryFolder();
      const stopping = new AbortController();
      stopping.abort();
      const stopped = makeBackupInThread({ database, file: path.join(folder, 'copy.db') }, stopping.signal);
      await expect(stopped).rejects.toThrow('stopping');
      expect(readdirSync(folder)).toEqual([]);

      const began = Promise.withResolvers<void>();
      const installation = await anInstallation({
        makeBackup: (_, signal) =>
          new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => reject(new Error('stopping')));
            began.resolve();
          }),
      });
      installation.runner.start();
      await began.promise;
      await installation.runner.stop();
      expect([installation.errors, await findBackupFailure(installation.database)]).toEqual([[], undefined]);
    });
  });

  test('a service makes them, and doctor reports whether they are made', async () => {
    const backupFolder = temporaryFolder();
    const databaseUrl = await store.migratedUrl();
    const failureFile = `${databaseUrl.slice('sqlite:'.length)}.backup-failure.json`;
    const failure = JSON.stringify({ at: '2026-11-24T03:00:00.000Z', message: 'The disk is full.' });
    writeFileSync(failureFile, failure);
    const settings = { backupFolder, backupSchedule: '6h' };
    const server = await startTestServer(store, { databaseUrl, settings });
    const site = await server.createSite();
    await site.post('/members', { email: 'ada@example.com' });
    // What a backup does last. Its threads have a low priority, so on a busy machine they are slow.
    await expect.poll(() => existsSync(failureFile), { timeout: 50_000 }).toBe(false);
    expect(readdirSync(backupFolder).filter((name) => name.endsWith('.db'))).toHaveLength(1);
    const examine = async () => {
      const run = commandsOn(databaseUrl);
      const env = { GATEHOUSE_BACKUP_FOLDER: backupFolder, GATEHOUSE_BACKUP_SCHEDULE: '6h' };
      const { json } = await run(['doctor', '--json'], { env });
      return json.checks.find((each: { check: string }) => each.check === 'backups');
    };
    expect(await examine()).toMatchObject({
      status: 'ok',
      message: expect.stringContaining('the newest of 1'),
    });

    writeFileSync(failureFile, failure);
    expect(await examine()).toMatchObject({
      status: 'failed',
      message: expect.stringContaining('The disk is full.'),
    });
    rmSync(failureFile);
    const given = { GATEHOUSE_DATABASE_URL: databaseUrl, GATEHOUSE_BACKUP_FOLDER: backupFolder };
    const backups = backupSettings(readSettings(given, ''));
    const [late] = await checkBackups(server.database, backups, '2030-01-01T05:00:00.000Z');
    expect(late).toMatchObject({
      status: 'failed',
      message: expect.stringContaining('one has been due since 2030-01-01T03:00:00.000Z'),
    });
    rmSync(backupFolder, { recursive: true });
    expect(await examine()).toMatchObject({
      status: 'failed',
      message: expect.stringContaining('There is no folder'),
    });
  });

  test('the command makes them until it is stopped', async () => {
    const server = await startTestServer(store);
    const folder = temporaryFolder();
    const run = commandsOn(server.databaseUrl);
    const { exitCode, stdout } = await run(['backup', '--schedule', '6h', folder, '--json'], {
      whileRunning: (child) => {
        child.stdout!.on(
          'data',
          (data) => String(data).includes('a backup was made') && child.kill('SIGTERM'),
        );
      },
    });
    expect(exitCode).toBe(0);
    expect(stdout).toContain('"signal":"SIGTERM"');
    const [backup, ...others] = readdirSync(folder);
    expect(others).toEqual([]);
    const restored = path.join(temporaryFolder(), 'gatehouse.db');
    const restore = await commandsOn(`sqlite:${restored}`)(['restore', path.join(folder, backup!), '--json']);
    expect([restore.exitCode, existsSync(restored)]).toEqual([0, true]);

    const missing = await run(['backup', '--schedule', '6h', path.join(folder, 'none'), '--json']);
    expect(missing.json.error).toMatchObject({ code: 'folder_not_found' });
    for (const args of [
      ['--keep', '3', 'copy.db'],
      ['--schedule', '25:00', folder],
      ['--schedule', '6h', '--force', folder],
    ]) {
      expect(await run(['backup', ...args])).toMatchObject({ exitCode: 2, stdout: '' });
    }
  });
});
