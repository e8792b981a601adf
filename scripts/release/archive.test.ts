import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { entriesOf, file, folder, gzip, link, tar } from './archive.ts';

const list = (archive: Buffer) =>
  execFileSync('tar', ['--list', '--verbose', '--numeric-owner', '--file=-'], {
    input: archive,
    env: { ...process.env, TZ: 'UTC' },
    encoding: 'utf8',
  })
    .trim()
    .split('\n')
    .map((line) => line.replaceAll(/ +/g, ' '));

test('an archive has sorted names, the folders of its files, and one time', () => {
  const entries = [
    link('b/link', '../a'),
    file('b/program', 'text', { mode: 0o755, owner: 10001 }),
    folder('tmp', { mode: 0o1777 }),
    file('a', ''),
  ];
  expect(list(tar(entries, 86_400))).toEqual([
    '-rw-r--r-- 0/0 0 1970-01-02 00:00 a',
    'drwxr-xr-x 0/0 0 1970-01-02 00:00 b/',
    'lrwxrwxrwx 0/0 0 1970-01-02 00:00 b/link -> ../a',
    '-rwxr-xr-x 10001/10001 4 1970-01-02 00:00 b/program',
    'drwxrwxrwt 0/0 0 1970-01-02 00:00 tmp/',
  ]);
});

test('a name has up to 255 bytes', () => {
  const name = `${'a'.repeat(60)}/${'b'.repeat(90)}/${'c'.repeat(90)}`;
  expect(list(tar([file(name, '')], 0)).at(-1)).toContain(name);
  expect(() => tar([file('a'.repeat(101), '')], 0)).toThrow('is too long for ustar');
});

test('the same files give the same archive, whatever their times, modes and order', () => {
  const archives = [0o644, 0o600].map((mode, i) => {
    const place = mkdtempSync(path.join(tmpdir(), 'gatehouse-archive-'));
    onTestFinished(() => rmSync(place, { recursive: true }));
    mkdirSync(path.join(place, 'folder'), { mode: mode | 0o100 });
    for (const name of i === 0 ? ['x', 'y'] : ['y', 'x']) {
      writeFileSync(path.join(place, 'folder', name), name);
      chmodSync(path.join(place, 'folder', name), mode);
      utimesSync(path.join(place, 'folder', name), i, i);
    }
    symlinkSync('x', path.join(place, 'folder/z'));
    return gzip(tar(entriesOf(place, 'name'), 0));
  });
  expect(archives[0]).toEqual(archives[1]);
});
