import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { commandsOn, gatehouse, temporaryFolder } from '../../../test/command-line.ts';
import { forEachStore } from '../../../test/stores.ts';
import { readSettings } from '../../app/settings/settings.ts';
import { newSecretKey, parseSecretKey } from '../../base/encryption/secret-box.ts';
import { openDatabase } from '../../storage/open.ts';

test('secret-key prints a new key, and nothing else', async () => {
  const keys = [await gatehouse(['secret-key']), await gatehouse(['secret-key'])].map(({ stdout }) => stdout);
  for (const key of keys) expect(parseSecretKey(key.trimEnd())).toBe(key.slice(0, -1));
  expect(keys[0]).not.toBe(keys[1]);
  const { json } = await gatehouse(['secret-key', '--json']);
  expect(parseSecretKey(json.secretKey)).toBe(json.secretKey);
});

test('GATEHOUSE_SECRET_KEY has one key, or the new and the old one', () => {
  const keysOf = (text: string) => readSettings({ GATEHOUSE_SECRET_KEY: text }, 'no file').secretKeys;
  const [newer, older] = [newSecretKey(), newSecretKey()];
  expect(keysOf('')).toEqual([]);
  expect(keysOf(newer)).toEqual([newer]);
  expect(keysOf(`${newer}, ${older}`)).toEqual([newer, older]);
  for (const wrong of ['hush', `${newer},hush`, `${newer},`, `${newer},${older},${newer}`]) {
    expect(() => keysOf(wrong)).toThrow(
      'GATEHOUSE_SECRET_KEY has an invalid value. Use a key of ./gatehouse secret-key, or the new key and the old one, ' +
        'separated by a comma.',
    );
  }
});

forEachStore((store) => {
  if (store.dialect === 'postgres') {
    test('the service does not start without a key, and changes nothing in the database', async () => {
      const url = await store.freshUrl();
      const env = { GATEHOUSE_DATABASE_URL: url };
      expect(await gatehouse(['serve', '--port', '0'], { env })).toMatchObject({
        exitCode: 2,
        stdout: '',
        stderr:
          'gatehouse: GATEHOUSE_SECRET_KEY is missing, the key that encrypts secrets in the database. Make a key with ' +
          './gatehouse secret-key, and set it for every Gatehouse on this PostgreSQL database.\n',
      });
      const database = openDatabase(url, { poolSize: 1 });
      const tables = await database
        .all(sql`SELECT tablename FROM pg_tables WHERE schemaname = 'public'`)
        .finally(() => database.close());
      expect(tables).toEqual([]);
    });

    test('the other commands need no key', async () => {
      const env = { GATEHOUSE_DATABASE_URL: await store.freshUrl() };
      const commands = [
        ['migrate'],
        ['site', 'create', '--slug', 'club'],
        ['site', 'list'],
        ['key', 'create', '--name', 'Shop'],
        ['operator', 'list'],
        ['doctor'],
      ];
      for (const command of commands) {
        expect(await gatehouse(command, { env }), command.join(' ')).toMatchObject({ exitCode: 0 });
      }
    });
    return;
  }

  const place = () => {
    const file = path.join(temporaryFolder(), 'gatehouse.db');
    return { url: `sqlite:${file}`, keyFile: `${file}.key` };
  };
  const startAndStop = async (url: string, settings: Record<string, string> = {}) => {
    const { exitCode, stdout, stderr } = await commandsOn(url)(['serve', '--port', '0'], { env: settings });
    expect({ exitCode, isReady: stdout.includes('Gatehouse is ready') }).toEqual({
      exitCode: 0,
      isReady: true,
    });
    return stdout + stderr;
  };

  test('the first start makes a key beside the database, and later starts use it', async () => {
    const { url, keyFile } = place();
    await startAndStop(url);
    const text = readFileSync(keyFile, 'utf8');
    expect(parseSecretKey(text.trimEnd())).toBeDefined();
    const output = await startAndStop(url, { GATEHOUSE_LOG_LEVEL: 'trace' });
    expect(readFileSync(keyFile, 'utf8')).toBe(text);
    expect(output).not.toContain(text.trimEnd());
  });

  test('with the setting no file is made', async () => {
    const { url, keyFile } = place();
    const key = newSecretKey();
    const output = await startAndStop(url, { GATEHOUSE_SECRET_KEY: key, GATEHOUSE_LOG_LEVEL: 'trace' });
    expect(existsSync(keyFile)).toBe(false);
    expect(output).not.toContain(key);
  });

  test('other commands make no key', async () => {
    const { url, keyFile } = place();
    const run = commandsOn(url);
    for (const command of [['migrate'], ['site', 'create', '--slug', 'club'], ['doctor'], ['site', 'list']]) {
      expect(await run(command), command.join(' ')).toMatchObject({ exitCode: 0 });
    }
    expect(existsSync(keyFile)).toBe(false);
  });

  test('a key file without a key is reported and kept', async () => {
    const { url, keyFile } = place();
    const run = commandsOn(url);
    await run(['migrate']);
    for (const text of ['', 'hush\n', `${newSecretKey()},hush\n`]) {
      writeFileSync(keyFile, text, { mode: 0o600 });
      const { exitCode, json, stderr } = await run(['serve', '--port', '0', '--json']);
      expect({ exitCode, code: json.error.code }).toEqual({ exitCode: 1, code: 'secret_key_unusable' });
      expect(json.error.message).toMatch(/gatehouse\.db\.key contains no key\. Restore it\. If it is lost/);
      expect(stderr).not.toContain('hush');
      expect(readFileSync(keyFile, 'utf8')).toBe(text);
    }
    rmSync(keyFile);
    await startAndStop(url);
    expect(existsSync(keyFile)).toBe(true);
  });
});
