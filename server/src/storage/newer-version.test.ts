import sql, { raw } from 'sql-template-tag';
import { expect, onTestFinished, test } from 'vitest';
import { commandsOn } from '../../test/command-line.ts';
import { forEachStoreVersion } from '../../test/stores.ts';
import { startTestServer } from '../../test/test-server.ts';
import { readMigration } from './migrations/migration-file.ts';
import { appliedMigrations, migrationsFor } from './migrations/migrations.ts';
import { openDatabase } from './open.ts';

forEachStoreVersion((store) => {
  const ofThisVersion = migrationsFor(store.dialect);
  const newest = ofThisVersion.at(-1)!.name;
  const newer = (usableFrom: string) =>
    readMigration(
      store.dialect,
      '9001-nicknames',
      `-- usable from: ${usableFrom}\nALTER TABLE members ADD COLUMN nickname text;`,
    );

  async function start() {
    const databaseUrl = await store.migratedUrl();
    const database = openDatabase(databaseUrl);
    onTestFinished(() => database.close());
    return { databaseUrl, database, run: commandsOn(databaseUrl) };
  }

  test('this version starts and works beside the tables of a newer one that allows it', async () => {
    const { databaseUrl, database, run } = await start();
    const ofNewerVersion = [...ofThisVersion, newer(newest)];
    expect(await database.migrate(ofNewerVersion)).toEqual(['9001-nicknames']);

    const server = await startTestServer(store, { databaseUrl });
    onTestFinished(() => server.stop());
    const site = await server.createSite();
    expect((await site.post('/members', { email: 'ada@example.com' })).status).toBe(201);
    expect((await run(['site', 'list', '--json'])).exitCode).toBe(0);
    expect((await run(['migrate', '--json'])).json).toEqual({ applied: [] });
    const { json } = await run(['doctor', '--json']);
    expect(json.checks.find(({ check }: { check: string }) => check === 'migrations')).toMatchObject({
      state: 'ok',
      message: expect.stringContaining('beside which this one works: 9001-nicknames'),
    });
    // The newer version starts again.
    expect(await database.migrate(ofNewerVersion)).toEqual([]);
    expect(
      await database.all(sql`SELECT email, nickname FROM members WHERE site_id = ${site.siteId}`),
    ).toEqual([{ email: 'ada@example.com', nickname: null }]);
  });

  test('this version does not start beside the tables of a newer one that does not allow it', async () => {
    const { databaseUrl, database, run } = await start();
    await database.migrate([...ofThisVersion, newer('9001-nicknames')]);
    await expect(startTestServer(store, { databaseUrl })).rejects.toThrow('Start the newer version.');
    for (const command of [['site', 'list'], ['migrate'], ['migrate', '--plan']]) {
      const { exitCode, json } = await run([...command, '--json']);
      expect([command, exitCode, json.error.code]).toEqual([command, 1, 'migration_mismatch']);
    }
  });

  test('a database from before migrations said who can use the tables is read, and brought up to date', async () => {
    const { database, run } = await start();
    const added =
      store.dialect === 'sqlite' ? ['usable_from'] : ['usable_from', 'remaining_steps', 'resume_after'];
    const before = await appliedMigrations(database);
    for (const column of added) await database.run(raw(`ALTER TABLE migrations DROP COLUMN ${column}`));
    expect((await run(['site', 'list', '--json'])).exitCode).toBe(0);
    expect(await appliedMigrations(database)).toEqual(before.map((row) => ({ ...row, usableFrom: null })));

    expect((await run(['migrate', '--json'])).json).toEqual({ applied: [] });
    expect(await database.migrate([...ofThisVersion, newer(newest)])).toEqual(['9001-nicknames']);
    expect((await appliedMigrations(database)).map(({ usableFrom }) => usableFrom)).toEqual([
      ...before.map(() => null),
      newest,
    ]);
  });

  test('a plan changes nothing, and a migration says what it does', async () => {
    const databaseUrl = await store.freshUrl();
    const run = commandsOn(databaseUrl);
    expect((await run(['migrate', '--plan'])).stdout).toBe(
      `The database is empty: ${ofThisVersion.length} migrations create its tables.\n`,
    );
    expect((await run(['site', 'list', '--json'])).json.error.code).toBe('database_missing');

    const database = openDatabase(databaseUrl);
    onTestFinished(() => database.close());
    await database.migrate(ofThisVersion.slice(0, -2));
    const before = await appliedMigrations(database);
    const pending = ofThisVersion.slice(-2).map(({ name }) => name);
    const { json } = await run(['migrate', '--plan', '--json']);
    expect(json.migrations.map(({ name }: { name: string }) => name)).toEqual(pending);
    expect(json.migrations[0].steps[0].effects[0]).toMatchObject({ lock: expect.any(String) });
    const { stdout } = await run(['migrate', '--plan']);
    for (const name of pending) expect(stdout).toContain(name);
    expect(stdout).toMatch(/version before/);
    expect(await appliedMigrations(database)).toEqual(before);

    const migrated = await run(['migrate']);
    for (const name of pending) expect(migrated.stderr).toContain(`${name}: `);
    expect(migrated.stdout).toBe(pending.map((name) => `Applied ${name}\n`).join(''));
    expect((await run(['migrate', '--plan'])).stdout).toBe('Nothing to apply: the tables are up to date.\n');
  });
});
