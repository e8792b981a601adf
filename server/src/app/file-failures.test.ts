import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { describeFailure } from './describe-failure.ts';
import { forbiddenFile, sqliteAdvice } from './file-failures.ts';

const [user, group] = [process.getuid!(), process.getgid!()];

test('the owner of a folder is named, and the command that changes it', () => {
  const folder = aFolder();
  const message = forbiddenFile(join(folder, 'data/gatehouse.db'), user + 1);
  expect(message).toContain(`${folder} belongs to the user ${user}, and this is the user ${user + 1}.`);
  expect(message).toContain(`chown -R ${user + 1}:${group} ${folder}`);
});

test('the owner of a folder hears which mode it has', () => {
  const folder = aFolder();
  chmodSync(folder, 0o500);
  expect(forbiddenFile(join(folder, 'data'))).toContain(`the mode of ${folder} is 500.`);
});

test('a read-only file system is called so', () => {
  const error = Object.assign(new Error('EROFS'), { code: 'EROFS', path: '/data/gatehouse.db.new-1' });
  expect(describeFailure(error).message).toMatch(
    /^\/data\/gatehouse\.db is on a read-only file system\. Mount/,
  );
});

test.each([
  [5, 'is locked by another program, or its file system has no locks'],
  [13, 'The disk is full'],
  [4874, 'The disk is full'],
  [15, 'has no locks'],
  [3850, 'has no locks'],
  [5386, 'cannot share memory between programs'],
  [266, 'cannot be read or written: disk I/O error'],
])('the error %d of SQLite says what to do', (errcode, expected) => {
  expect(sqliteAdvice(Object.assign(new Error('disk I/O error'), { errcode }))).toContain(expected);
});

test.each([
  [11, 'Restore a backup'],
  [26, 'Restore a backup'],
  [13, 'The disk is full'],
  [4874, 'The disk is full'],
])('only a damaged file is replaced by a backup: error %d', (errcode, expected) => {
  const error = Object.assign(new Error('disk I/O error'), { code: 'ERR_SQLITE_ERROR', errcode });
  expect(describeFailure(error).message).toContain(expected);
});

function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}
