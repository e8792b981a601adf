import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import sql, { raw } from 'sql-template-tag';
import { expect, onTestFinished, test } from 'vitest';
import { commandsOn } from '../../test/command-line.ts';
import { forEachStore } from '../../test/stores.ts';
import { startTestServer } from '../../test/test-server.ts';
import type { Database } from './database.ts';
import { sqlitePath } from './database-url.ts';
import { openDatabase } from './open.ts';

const reason =
  'created by a version of Gatehouse before the first release, or by another program. This version cannot use its tables, ' +
  'and has not changed them. Set GATEHOUSE_DATABASE_URL to a new database.';

/** Databases that no release has created, by how their tables of migrations look. */
const databases = {
  'of a version before the first release': [
    'CREATE TABLE migrations (name text PRIMARY KEY, hash text NOT NULL, applied_at text NOT NULL, usable_from text, ' +
      'remaining_steps integer NOT NULL DEFAULT 0, resume_after text)',
    "INSERT INTO migrations VALUES ('0001-sites', 'a1', '2026-01-05', '0001-sites', 0, NULL)",
    "INSERT INTO migrations VALUES ('0041-creating-requests', 'b2', '2026-01-05', '0022-setup-tokens', 0, NULL)",
  ],
  'of one of the first such versions': [
    'CREATE TABLE migrations (name text PRIMARY KEY, hash text NOT NULL, applied_at text NOT NULL)',
    "INSERT INTO migrations VALUES ('0001-sites', 'a1', '2026-01-05')",
  ],
  'of another program': [
    'CREATE TABLE migrations (id integer PRIMARY KEY, migration text NOT NULL)',
    "INSERT INTO migrations VALUES (1, '0001-schema')",
  ],
};

forEachStore((store) => {
  async function create(statements: readonly string[]) {
    const databaseUrl = await store.freshUrl();
    const sites = 'CREATE TABLE sites (id text PRIMARY KEY, slug text NOT NULL)';
    const all = [sites, "INSERT INTO sites VALUES ('1', 'club')", ...statements];
    if (store.dialect === 'sqlite') {
      const file = new DatabaseSync(sqlitePath(databaseUrl));
      file.exec(all.join(';'));
      file.close();
    }
    const database = openDatabase(databaseUrl);
    onTestFinished(() => database.close());
    if (store.dialect === 'postgres') for (const statement of all) await database.run(raw(statement));
    return { databaseUrl, database, run: commandsOn(databaseUrl) };
  }

  test.each(Object.entries(databases))(
    'a database %s is refused and stays as it is',
    async (_, statements) => {
      const { databaseUrl, database, run } = await create(statements);
      const before = await contentOf(database);
      for (const command of [
        ['migrate'],
        ['migrate', '--plan'],
        ['serve'],
        ['site', 'list'],
        ['site', 'create', '--slug', 'choir'],
        ['setup-link'],
      ]) {
        const { exitCode, stdout, stderr } = await run(command, { env: { GATEHOUSE_PORT: '0' } });
        expect([command, exitCode, stdout + stderr]).toEqual([command, 1, expect.stringContaining(reason)]);
      }
      const { exitCode, json } = await run(['migrate', '--json']);
      expect([exitCode, json.error.code]).toEqual([1, 'migration_mismatch']);
      const doctor = await run(['doctor', '--json']);
      expect(doctor.exitCode).toBe(1);
      expect(doctor.json.checks).toContainEqual(
        expect.objectContaining({
          check: 'database',
          status: 'failed',
          advice: expect.stringContaining(reason),
        }),
      );
      await expect(startTestServer(store, { databaseUrl })).rejects.toThrow(reason);
      expect(await contentOf(database)).toEqual(before);
    },
  );

  test.runIf(store.dialect === 'sqlite').each(Object.entries(databases))(
    'a file with a database %s is no backup',
    async (_, statements) => {
      const { databaseUrl } = await create(statements);
      const file = sqlitePath(databaseUrl);
      const folder = path.dirname(file);
      const filesOf = (name: string) => readdirSync(folder).filter((each) => each.startsWith(name));
      const backup = await commandsOn(databaseUrl)(['backup', `${file}-copy`, '--json']);
      expect([backup.exitCode, backup.json.error.message]).toEqual([1, expect.stringContaining(reason)]);
      expect(filesOf(`${path.basename(file)}-copy`)).toEqual([]);

      const target = `${file}-restored`;
      const restore = await commandsOn(`sqlite:${target}`)(['restore', file, '--json']);
      expect([restore.exitCode, restore.json.error]).toEqual([
        1,
        {
          code: 'migration_mismatch',
          message: expect.stringContaining(`${file} cannot be restored. This database was ${reason}`),
        },
      ]);
      expect(existsSync(target)).toBe(false);
    },
  );
});

async function contentOf(database: Database): Promise<unknown> {
  const tables =
    database.dialect === 'sqlite'
      ? sql`SELECT sql FROM sqlite_schema ORDER BY name`
      : sql`SELECT table_name, column_name, data_type FROM information_schema.columns
            WHERE table_schema = current_schema() ORDER BY table_name, ordinal_position`;
  return [
    await database.all(tables),
    await database.all(sql`SELECT * FROM sites`),
    await database.all(sql`SELECT * FROM migrations ORDER BY 1`),
  ];
}
