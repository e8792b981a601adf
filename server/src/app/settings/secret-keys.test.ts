import { chmodSync, chownSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { changing } from '../../../test/change.ts';
import { commandsOn, gatehouse } from '../../../test/command-line.ts';
import { makeSite, startProcess } from '../../../test/faults/gatehouse-process.ts';
import { forEachStore } from '../../../test/stores.ts';
import { newSecretKey, SecretBox } from '../../base/encryption/secret-box.ts';
import { newId } from '../../base/ids.ts';
import { placeOfSecret } from '../../domain/sources/source/source.ts';
import { createSource } from '../../domain/sources/source/sources.ts';
import { openDatabase } from '../../storage/open.ts';

forEachStore((store) => {
  /** An installation that is not running, and its checks with a setting. */
  const start = async () => {
    const databaseUrl = await store.migratedUrl();
    const { siteId } = await makeSite(databaseUrl);
    const storeSecret = async (sealed: (place: string) => string, name = 'Notion') => {
      const database = openDatabase(databaseUrl, { poolSize: 2 });
      await changing(database, siteId, async (change) => {
        const { id } = await createSource(change, { type: 'program', name: `${name} ${newId()}` });
        const secret = sealed(placeOfSecret(siteId, id));
        await change.db.run(
          sql`UPDATE sources SET secret = ${secret} WHERE site_id = ${siteId} AND id = ${id}`,
        );
      }).finally(() => database.close());
    };
    const examine = async (...keys: readonly string[]) => {
      const env = {
        GATEHOUSE_DATABASE_URL: databaseUrl,
        ...(keys.length > 0 && { GATEHOUSE_SECRET_KEY: keys.join(',') }),
      };
      const [text, { exitCode, json, stdout }] = [
        await gatehouse(['doctor'], { env }),
        await gatehouse(['doctor', '--json'], { env }),
      ];
      for (const key of keys) expect(text.stdout + stdout).not.toContain(key);
      const check = (name: string) => json.checks.find((each: { check: string }) => each.check === name);
      return { exitCode, key: check('secret key'), secrets: check('secrets'), settings: json.settings };
    };
    return { databaseUrl, storeSecret, examine };
  };
  const [key, older] = [newSecretKey(), newSecretKey()];
  const sealedWith = (secretKey: string) => (place: string) => new SecretBox([secretKey]).seal('hush', place);

  test('doctor says that the key opens all stored secrets', async () => {
    const { storeSecret, examine } = await start();
    expect(await examine(key)).toMatchObject({
      exitCode: 0,
      key: { status: 'ok', message: 'in GATEHOUSE_SECRET_KEY' },
      secrets: { status: 'ok', message: 'none stored' },
      settings: { secretKeys: '***' },
    });
    await storeSecret(sealedWith(key));
    expect(await examine(key)).toMatchObject({
      exitCode: 0,
      secrets: { status: 'ok', message: '1 stored, encrypted with the current key' },
    });
  });

  test('doctor says how many secrets still need the older key', async () => {
    const { storeSecret, examine } = await start();
    for (const each of [key, older, older]) await storeSecret(sealedWith(each));
    expect(await examine(key, older)).toMatchObject({
      exitCode: 0,
      key: { status: 'ok', message: 'in GATEHOUSE_SECRET_KEY, with an older one' },
      secrets: { status: 'warning', message: '2 of 3 still need the older key' },
    });
    const removed = await examine(key);
    expect(removed).toMatchObject({ exitCode: 1, secrets: { status: 'failed' } });
    expect(removed.secrets.message).toMatch(
      /^2 of 3 cannot be opened: s\d+: "Notion [\w-]+"; s\d+: "Notion [\w-]+"$/,
    );
  });

  test('doctor finds a secret that was copied from another place', async () => {
    const { storeSecret, examine } = await start();
    await storeSecret(() => sealedWith(key)('another place'));
    expect(await examine(key)).toMatchObject({ exitCode: 1, secrets: { status: 'failed' } });
  });

  test('without a key doctor says that it could not check the secrets', async () => {
    const { storeSecret, examine } = await start();
    await storeSecret(sealedWith(key));
    const found = await examine();
    expect(found).toMatchObject({
      exitCode: 0,
      secrets: { status: 'warning', message: '1 stored, not checked because there is no key' },
      settings: { secretKeys: null },
    });
    expect(found.key.status).toBe(store.dialect === 'sqlite' ? 'ok' : 'warning');
    if (store.dialect === 'postgres') expect(found.key.advice).toContain('./gatehouse secret-key');
  });

  test('doctor uses the keys of the running service, which renews the secrets, and shows none', async () => {
    const { databaseUrl, storeSecret } = await start();
    await storeSecret(sealedWith(older));
    const service = await startProcess(databaseUrl, { GATEHOUSE_SECRET_KEY: `${key},${older}` });
    const env = { GATEHOUSE_DATABASE_URL: databaseUrl, GATEHOUSE_PUBLIC_URL: service.address };
    const examine = async () => {
      const { json, stdout } = await gatehouse(['doctor', '--json'], { env });
      for (const secret of [key, older, 'hush']) expect(stdout).not.toContain(secret);
      expect(json.settings.secretKeys).toBe('***');
      return json.checks.find(({ check }: { check: string }) => check === 'secrets').message;
    };
    await expect.poll(examine, { timeout: 20_000 }).toBe('1 stored, encrypted with the current key');
    for (const secret of [key, older, 'hush']) expect(service.output()).not.toContain(secret);
  });

  if (store.dialect === 'postgres') return;

  test('doctor warns if others can access the key file, or own it', async () => {
    const { databaseUrl, examine } = await start();
    const file = `${databaseUrl.slice('sqlite:'.length)}.key`;
    expect((await examine()).key).toMatchObject({
      status: 'ok',
      message: `none yet; the service creates it in ${file}`,
    });
    writeFileSync(file, `${key}\n`, { mode: 0o600 });
    expect((await examine()).key).toMatchObject({ status: 'ok', message: `in ${file}` });
    chmodSync(file, 0o640);
    expect((await examine()).key).toMatchObject({ status: 'warning', advice: `Run: chmod 600 ${file}` });
    chmodSync(file, 0o600);
    // Only root can give a file to someone else.
    if (process.getuid?.() === 0) {
      chownSync(file, 12_345, 0);
      expect((await examine()).key).toMatchObject({ status: 'warning', advice: `Run: chown 0 ${file}` });
    }
  });

  test('a key file can have two keys, and a file without one fails', async () => {
    const { databaseUrl, storeSecret, examine } = await start();
    const file = `${databaseUrl.slice('sqlite:'.length)}.key`;
    await storeSecret(sealedWith(older));
    writeFileSync(file, `${key},${older}\n`, { mode: 0o600 });
    expect(await examine()).toMatchObject({
      key: { message: `in ${file}, with an older one` },
      secrets: { message: '1 of 1 still need the older key' },
    });
    const service = await startProcess(databaseUrl);
    const message = async () => (await examine()).secrets.message;
    await expect.poll(message, { timeout: 20_000 }).toBe('1 stored, encrypted with the current key');
    await service.kill();
    writeFileSync(file, 'hush\n');
    const found = await examine();
    expect(found).toMatchObject({ exitCode: 1, key: { status: 'failed' } });
    expect(found.key.advice).toContain(`${file} contains no key`);
    expect(found.key.advice).not.toContain('hush');
  });

  test('a backup names the key file, and does not contain it', async () => {
    const { databaseUrl, storeSecret } = await start();
    const file = `${databaseUrl.slice('sqlite:'.length)}.key`;
    const run = commandsOn(databaseUrl);
    const copy = `${databaseUrl.slice('sqlite:'.length)}.copy`;
    expect((await run(['backup', copy])).stdout).toMatch(/checked\)\.\n$/);
    writeFileSync(file, `${key}\n`, { mode: 0o600 });
    await storeSecret(sealedWith(key));
    const { stdout } = await run(['backup', copy, '--force']);
    expect(stdout).toContain(
      `The key of its secrets is not in it: keep ${file} too, apart from the backup.\n`,
    );
    expect((await run(['backup', copy, '--force', '--json'])).json).toMatchObject({ secretKey: file });
    for (const secret of [key, 'hush']) expect(readFileSync(copy).includes(secret)).toBe(false);
    const named = await run(['backup', copy, '--force'], { env: { GATEHOUSE_SECRET_KEY: key } });
    expect(named.stdout).toContain('keep GATEHOUSE_SECRET_KEY too');

    rmSync(file);
    expect((await run(['restore', copy])).stdout).toContain(`Its secrets need their key in ${file}.`);
    const other = commandsOn(`sqlite:${copy}.other`);
    const restored = await other(['restore', copy], { env: { GATEHOUSE_SECRET_KEY: key } });
    expect(restored.stdout).toContain('Its secrets need their key in GATEHOUSE_SECRET_KEY.');
  });
});
