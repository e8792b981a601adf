import { chownSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import sql from 'sql-template-tag';
import { describe, expect, test } from 'vitest';
import { installCitusStandIn } from '../../../../test/citus/stand-in.ts';
import { commandsOn, gatehouse, temporaryFolder } from '../../../../test/command-line.ts';
import { makeSite } from '../../../../test/faults/gatehouse-process.ts';
import { uniqueDatabaseName, withConnection } from '../../../../test/postgres-server.ts';
import { secretKey } from '../../../../test/secret-key.ts';
import { forEachStore, forOneStore } from '../../../../test/stores.ts';
import { startTestServer } from '../../../../test/test-server.ts';
import { newSecretKey } from '../../../base/encryption/secret-box.ts';
import type { Database } from '../../../storage/database.ts';
import { sqlitePath } from '../../../storage/database-url.ts';
import { type Closure, deleteClosure, insertClosure } from '../../../storage/migrations/closure.ts';
import { findClosure } from '../../../storage/migrations/migrations.ts';
import { openDatabase } from '../../../storage/open.ts';

const env = { GATEHOUSE_SECRET_KEY: secretKey };

/** Does something with a database, and leaves no connection open. */
async function on<T>(url: string, work: (database: Database) => Promise<T>): Promise<T> {
  const database = openDatabase(url);
  return work(database).finally(() => database.close());
}

const close = (url: string, closure: Closure) =>
  on(url, (database) => database.transaction((tx) => insertClosure(tx, closure)));
const closureOf = (url: string) => on(url, findClosure);

const newFile = () => `sqlite:${path.join(temporaryFolder(), 'gatehouse.db')}`;

/** A file with one site. */
async function aSource(): Promise<string> {
  const url = newFile();
  await makeSite(url);
  return url;
}

function copy(from: string, to: string, options: Parameters<ReturnType<typeof commandsOn>>[1] = {}) {
  return commandsOn(from)(['copy', '--to', to, '--json'], { env, ...options });
}

async function expectRefused(from: string, to: string, code: string, text: string, options = {}) {
  const { exitCode, json } = await copy(from, to, options);
  expect(json.error).toMatchObject({ code, message: expect.stringContaining(text) });
  expect(exitCode).not.toBe(0);
}

const slugsIn = async (url: string) => {
  const { json } = await commandsOn(url)(['site', 'list', '--json']);
  return (json as { slug: string }[]).map(({ slug }) => slug);
};

forEachStore((store) => {
  test('a copy says how to switch, and the database that was copied refuses to start', async () => {
    const [source, target] = [await aSource(), await store.freshUrl()];
    const slugs = await slugsIn(source);
    const { exitCode, stdout, stderr } = await commandsOn(source)(['copy', '--to', target], { env });
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining('Set GATEHOUSE_DATABASE_URL to')]);
    expect(stdout + stderr).not.toContain(secretKey);
    expect(await slugsIn(target)).toEqual(slugs);
    expect((await commandsOn(target)(['doctor', '--json'])).json.checks).toContainEqual(
      expect.objectContaining({ check: 'migrations', status: 'ok' }),
    );

    const run = commandsOn(source);
    for (const command of [
      ['serve'],
      ['site', 'list'],
      ['migrate'],
      ['backup', 'copy.db'],
      ['copy', '--to', newFile()],
    ]) {
      const refused = await run(command, { env: { ...env, GATEHOUSE_PORT: '0' } });
      const text = 'The data of this database was copied to ';
      expect([command, refused.exitCode, refused.stderr]).toEqual([
        command,
        1,
        expect.stringContaining(text),
      ]);
    }
    expect((await run(['doctor'])).stdout).toContain(
      'To use this one again: ./gatehouse copy --reopen --force.',
    );
    expect((await run(['copy', '--reopen', '--json'])).json.error.code).toBe('database_closed');
    expect((await run(['copy', '--reopen', '--force'])).exitCode).toBe(0);
    expect(await slugsIn(source)).toEqual(slugs);
    expect((await run(['copy', '--reopen', '--json'])).json.error.code).toBe('not_closed');
  });

  test('a copy needs an empty target, and leaves another one and the source as they are', async () => {
    const [source, target] = [await aSource(), await store.migratedUrl()];
    const server = await startTestServer(store, { databaseUrl: target });
    await server.stop();
    await expectRefused(
      source,
      target,
      'target_not_empty',
      'every database has in which a service was started',
    );
    expect(await slugsIn(source)).toHaveLength(1);
    expect(await closureOf(target)).toBeUndefined();

    const other = await store.freshUrl();
    await execute(other, 'CREATE TABLE notes (text text)');
    await expectRefused(source, other, 'target_not_empty', 'tables of another program');
    expect(await slugsIn(source)).toHaveLength(1);
  });

  test('no one is told to delete a database that was copied to another one', async () => {
    const [copied, target] = [await aSource(), await store.freshUrl()];
    await copy(copied, target);
    const back = await store.freshUrl();
    await copy(target, back);
    await expectRefused(
      await aSource(),
      target,
      'target_not_empty',
      'Nothing was changed. Name an empty database.',
    );
  });

  test('an incomplete copy is used by no service, and only its own source continues it', async () => {
    const [source, target] = [await aSource(), await store.migratedUrl()];
    const incomplete: Closure = {
      state: 'incomplete',
      copyId: 'x',
      other: 'sqlite:/other.db',
      at: '2026-11-28T10:00:00.000Z',
    };
    await close(target, incomplete);
    await expectRefused(source, target, 'target_other_copy', 'It is an incomplete copy of sqlite:/other.db');
    await expectRefused(target, newFile(), 'database_closed', 'This database is an incomplete copy of');
    const { json } = await commandsOn(target)(['copy', '--reopen', '--force', '--json']);
    expect(json.error.message).toContain('This database is an incomplete copy of sqlite:/other.db');
    await on(target, (database) => database.transaction((tx) => deleteClosure(tx, incomplete)));
    expect((await copy(source, target)).exitCode).toBe(0);
  });

  test('a copy is complete although its process was killed before it opened the target', async () => {
    const [source, target] = [await aSource(), await store.freshUrl()];
    await copy(source, target);
    const { copyId } = (await closureOf(source))!;
    const incomplete: Closure = {
      state: 'incomplete',
      copyId,
      other: source,
      at: '2026-11-28T10:00:00.000Z',
    };
    await close(target, incomplete);
    expect((await copy(source, target)).exitCode).toBe(0);
    expect(await closureOf(target)).toBeUndefined();
  });

  test('rows that another program changed are found, and the copy stays closed', async () => {
    const [source, target] = [await aSource(), await store.freshUrl()];
    await interruptedCopy(source, target);
    await execute(target, "UPDATE sites SET title = 'Other' WHERE slug <> 'operators'");
    await expectRefused(source, target, 'copy_differs', 'The table sites is not the same in both databases');
    expect((await closureOf(target))?.state).toBe('incomplete');
    expect((await commandsOn(source)(['copy', '--reopen'])).exitCode).toBe(0);
    expect(await slugsIn(source)).toHaveLength(1);
  });

  test('a database of another version is not copied', async () => {
    const source = await aSource();
    const migration =
      "INSERT INTO migrations (name, hash, applied_at, usable_from) VALUES ('9000-later', 'x', 'now', '0001-schema')";
    await execute(source, migration);
    await expectRefused(source, await store.freshUrl(), 'migration_mismatch', 'Copy it with that version.');
    await execute(source, 'DELETE FROM migrations');
    await expectRefused(
      source,
      await store.freshUrl(),
      'migration_mismatch',
      'lacks the migration 0001-schema',
    );
    const target = await store.migratedUrl();
    const columns = 'name, hash, applied_at, usable_from';
    const values = "'9000-later', 'x', '2026-01-01', '0001-schema'";
    await execute(
      target,
      store.dialect === 'sqlite'
        ? `INSERT INTO migrations (${columns}) VALUES (${values})`
        : `INSERT INTO migrations (${columns}, remaining_steps) VALUES (${values}, 0)`,
    );
    await expectRefused(await aSource(), target, 'migration_mismatch', 'Copy it with that version.');
  });

  test('a database that a service uses is not copied', async () => {
    const server = await startTestServer(store);
    await expectRefused(server.databaseUrl, newFile(), 'database_in_use', 'Stop');
    await server.stop();
    expect((await copy(server.databaseUrl, newFile())).exitCode).toBe(0);
  });

  describe('the key', () => {
    /** A file with a source whose secret needs the key of the file. */
    async function withSecret() {
      const url = newFile();
      const { key } = await makeSite(url, {
        permissions: ['sources:read', 'sources:write', 'site:read', 'members:read', 'members:write'],
      });
      const secretFile = path.join(path.dirname(sqlitePath(url)), 'token.txt');
      writeFileSync(secretFile, 'https://lists.example.org/people.csv?token=hush');
      const command = [
        'sources',
        'create',
        '--name',
        'Club',
        '--type',
        'list',
        '--secret-file',
        secretFile,
        '--json',
      ];
      const created = await commandsOn(url)(command);
      expect([created.exitCode, created.stderr]).toEqual([0, '']);
      return { url, key, file: `${sqlitePath(url)}.key` };
    }

    test('of the target has to open every secret, and is never shown', async () => {
      const { url, file } = await withSecret();
      const right = readFileSync(file, 'utf8').trim();
      const target = await store.freshUrl();
      const wrong = { env: { GATEHOUSE_SECRET_KEY: newSecretKey() } };
      await expectRefused(url, target, 'secret_key_wrong', 'does not open 1 of the secrets (', wrong);
      const without = await commandsOn(url)(['copy', '--to', target, '--json'], {
        env: { GATEHOUSE_SECRET_KEY: '' },
      });
      const code = store.dialect === 'postgres' ? 'secret_key_missing' : 'secret_key_wrong';
      const advice =
        store.dialect === 'postgres' ? `export GATEHOUSE_SECRET_KEY_FILE=${file}` : `cp -p ${file} `;
      expect(without.json.error).toMatchObject({ code, message: expect.stringContaining(advice) });
      expect(without.stdout + without.stderr).not.toContain(right);
      expect((await copy(url, target, { env: { GATEHOUSE_SECRET_KEY_FILE: file } })).exitCode).toBe(0);
    });
  });

  if (store.dialect === 'postgres') {
    test('the target, and then the source, can be distributed with Citus', async () => {
      const [source, target] = [await aSource(), await store.freshUrl()];
      await installCitusStandIn(target);
      expect((await commandsOn(target)(['migrate', '--citus'])).exitCode).toBe(0);
      expect((await copy(source, target)).exitCode).toBe(0);
      expect(await slugsIn(target)).toEqual(await slugsOf(source));
      const [plain, back] = [await store.freshUrl(), newFile()];
      expect((await copy(target, plain)).exitCode).toBe(0);
      expect((await copy(plain, back)).exitCode).toBe(0);
      expect(await slugsIn(back)).toEqual(await slugsOf(source));
    });

    test('the target has to store the texts of all languages', async () => {
      const source = await aSource();
      const serverUrl = new URL(await store.freshUrl());
      const name = uniqueDatabaseName();
      const statement = `CREATE DATABASE "${name}" ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0`;
      await withConnection(serverUrl.href, (client) => client.unsafe(statement));
      const target = new URL(serverUrl);
      target.pathname = `/${name}`;
      await expectRefused(
        source,
        target.href,
        'target_encoding',
        'Its encoding is LATIN1, and has to be UTF8',
      );
      await withConnection(serverUrl.href, (client) => client.unsafe(`DROP DATABASE "${name}" WITH (FORCE)`));
    });

    test('a database is not copied to itself through another name of its server', async () => {
      const url = new URL(await store.freshUrl());
      await copy(await aSource(), url.href);
      const slugs = await slugsIn(url.href);
      const other = new URL(url);
      other.hostname = url.hostname === 'localhost' ? '127.0.0.1' : 'localhost';
      const text = 'It is the database that is copied, under another name. Nothing was changed.';
      await expectRefused(url.href, other.href, 'target_itself', text);
      expect(await slugsIn(url.href)).toEqual(slugs);
    });

    test('a target that does not exist is not created', async () => {
      const target = new URL(await store.freshUrl());
      target.pathname = '/gatehouse_tset';
      await expectRefused(await aSource(), target.href, 'database_missing', 'or correct --to');
    });
  }
});

forOneStore(() => {
  test('the URL of the target is read from the standard input or the environment, so that no one sees its password', async () => {
    const source = await aSource();
    const [first, second] = [newFile(), newFile()];
    expect((await copy(source, '-', { input: `${first}\n`, env })).exitCode).toBe(0);
    const run = commandsOn(first);
    const named = { ...env, GATEHOUSE_COPY_TO_URL: second };
    expect((await run(['copy', '--json'], { env: named })).json.to).toBe(second);
  });

  test.each([
    [[], 'Name the empty database'],
    [['--to', 'gatehouse.db'], 'is invalid'],
    [['--to', 'postgress://gate:hush@db.example.org/gatehouse'], 'is invalid'],
    [['--to', 'postgres://gate:hu#sh@db.example.org/gatehouse'], 'is invalid'],
    [['--to', 'sqlite:./other.db', '--force'], '--force is for --reopen'],
    [['--to', 'sqlite:./other.db', '--reopen'], 'cannot be used with --to'],
  ])('copy %j is wrong usage, and no message shows a password', async (args, text) => {
    const { exitCode, stderr } = await commandsOn(await aSource())(['copy', ...args]);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(text)]);
    expect(stderr).not.toContain('hu');
  });

  test('a database is not copied to itself, however it is named', async () => {
    const source = await aSource();
    const file = sqlitePath(source);
    const same = `sqlite:${path.join(path.dirname(file), '..', path.basename(path.dirname(file)), 'gatehouse.db')}`;
    await expectRefused(source, same, 'wrong_usage', 'This is the database itself');
    const url = 'postgres://gate:hush@db.example.org/gatehouse';
    const { json } = await gatehouse(
      ['copy', '--to', 'postgres://other@db.example.org:5432/gatehouse?sslmode=require', '--json'],
      {
        env: { GATEHOUSE_DATABASE_URL: url },
      },
    );
    expect(json.error.message).toContain('This is the database itself');
  });

  test.runIf(process.getuid?.() === 0)(
    'a copy belongs to the owner of its folder, who cannot get another file with a link',
    async () => {
      const [source, copied, linked] = [await aSource(), sqlitePath(newFile()), sqlitePath(newFile())];
      const other = path.join(temporaryFolder(), 'notes.txt');
      writeFileSync(other, 'of root');
      symlinkSync(other, linked);
      for (const file of [copied, linked]) chownSync(path.dirname(file), 12_345, 12_345);
      expect((await copy(source, `sqlite:${linked}`)).exitCode).toBe(1);
      expect((await copy(source, `sqlite:${copied}`)).exitCode).toBe(0);
      expect([statSync(other).uid, statSync(copied).uid]).toEqual([0, 12_345]);
    },
  );

  test('without a database there is nothing to copy, and no file appears', async () => {
    await expectRefused(newFile(), newFile(), 'database_missing', 'There is no database at');
  });
});

async function slugsOf(copied: string): Promise<string[]> {
  const rows = await on(copied, (database) =>
    database.all<{ slug: string }>(sql`SELECT slug FROM sites WHERE operator_host IS NULL ORDER BY slug`),
  );
  return rows.map(({ slug }) => slug);
}

/** Changes a database as another program does. */
async function execute(url: string, statement: string): Promise<void> {
  if (url.startsWith('postgres'))
    return withConnection(url, async (client) => void (await client.unsafe(statement)));
  const file = new DatabaseSync(sqlitePath(url));
  file.exec(statement);
  file.close();
}

/** Leaves both databases as a killed process does, when nearly all rows are copied. */
async function interruptedCopy(source: string, target: string): Promise<void> {
  expect((await copy(source, target)).exitCode).toBe(0);
  for (const [url, state] of [
    [source, 'copying'],
    [target, 'incomplete'],
  ] as const) {
    const closure = await closureOf(url);
    if (closure !== undefined)
      await on(url, (database) => database.transaction((tx) => deleteClosure(tx, closure)));
    await close(url, { state, copyId: 'killed', other: 'the other', at: '2026-11-28T10:00:00.000Z' });
  }
}
