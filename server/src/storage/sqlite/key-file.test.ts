import { execFile } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../../test/command-line.ts';
import { newSecretKey } from '../../base/encryption/secret-box.ts';
import { ensureKeyFile, keyFileOf, readKeyFile } from './key-file.ts';

const module = path.join(import.meta.dirname, 'key-file.ts');
const aDatabase = () => path.join(temporaryFolder(), 'gatehouse.db');
const modeOf = (file: string) => statSync(file).mode & 0o777;

test('a key is made once, in a file that only its owner can access', () => {
  const database = aDatabase();
  const before = process.umask(0);
  onTestFinished(() => void process.umask(before));
  expect(readKeyFile(database)).toBeUndefined();
  const key = ensureKeyFile(database, newSecretKey);
  expect(ensureKeyFile(database, newSecretKey)).toBe(key);
  expect(readKeyFile(database)).toBe(key);
  expect(readFileSync(keyFileOf(database), 'utf8')).toBe(`${key}\n`);
  expect(modeOf(keyFileOf(database))).toBe(0o600);
  expect(readdirSync(path.dirname(database))).toEqual(['gatehouse.db.key']);

  chmodSync(keyFileOf(database), 0o644);
  ensureKeyFile(database, newSecretKey);
  expect(modeOf(keyFileOf(database))).toBe(0o600);
});

test('of several processes that start at the same time one makes the key, and all get it', async () => {
  const database = aDatabase();
  const script = `const { ensureKeyFile } = await import(process.argv[1]);
    console.log(ensureKeyFile(process.argv[2], () => 'key of ' + process.pid));`;
  const args = ['--input-type=module', '--eval', script, module, database];
  const results = await Promise.all(
    Array.from({ length: 8 }, () => promisify(execFile)(process.execPath, args)),
  );
  const keys = new Set(results.map(({ stdout }) => stdout.trim()));
  expect([...keys]).toEqual([readKeyFile(database)]);
  expect(readdirSync(path.dirname(database))).toEqual(['gatehouse.db.key']);
});

test('a key that another process makes at the last moment counts', () => {
  const database = aDatabase();
  const late = () => {
    ensureKeyFile(database, () => 'theirs');
    return 'ours';
  };
  expect(ensureKeyFile(database, late)).toBe('theirs');
});

test('the leftovers of a killed process are removed, and no other file', () => {
  const database = aDatabase();
  const others = ['gatehouse.db', 'gatehouse.db.new-x', 'other.db.key.new-x'];
  for (const name of [...others, 'gatehouse.db.key.new-x']) {
    writeFileSync(path.join(path.dirname(database), name), '');
  }
  ensureKeyFile(database, newSecretKey);
  expect(readdirSync(path.dirname(database)).sort()).toEqual([...others, 'gatehouse.db.key'].sort());
});

test('an existing file is never replaced', () => {
  const database = aDatabase();
  writeFileSync(keyFileOf(database), '');
  expect(ensureKeyFile(database, newSecretKey)).toBe('');
  expect(statSync(keyFileOf(database)).size).toBe(0);
});
