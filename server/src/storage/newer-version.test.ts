import sql from 'sql-template-tag';
import { expect, onTestFinished, test } from 'vitest';
import { commandsOn } from '../../test/command-line.ts';
import { nextCommandsOn, nextMigrations, nextVersion } from '../../test/next-version.ts';
import { anOperator } from '../../test/operator.ts';
import { forEachStoreVersion } from '../../test/stores.ts';
import { startTestServer } from '../../test/test-server.ts';
import { version } from '../base/version.ts';
import { sqlitePath } from './database-url.ts';
import { readMigration } from './migrations/migration-file.ts';
import { appliedMigrations, migrationsFor } from './migrations/migrations.ts';
import { openDatabase } from './open.ts';

forEachStoreVersion((store) => {
  const ofThisVersion = migrationsFor(store.dialect);
  const next = nextMigrations(store.dialect);
  const newest = ofThisVersion.at(-1)!.name;
  const newer = (usableFrom: string) =>
    readMigration(
      store.dialect,
      '9001-callsigns',
      `-- usable from: ${usableFrom}\nALTER TABLE members ADD COLUMN callsign text;`,
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
    expect(await database.migrate(ofNewerVersion)).toEqual(['9001-callsigns']);

    const server = await startTestServer(store, { databaseUrl });
    onTestFinished(() => server.stop());
    const site = await server.createSite();
    expect((await site.post('/members', { email: 'ada@example.com' })).status).toBe(201);
    expect((await run(['site', 'list', '--json'])).exitCode).toBe(0);
    expect((await run(['migrate', '--json'])).json).toEqual({ applied: [] });
    const { json } = await run(['doctor', '--json']);
    expect(json.checks.find(({ check }: { check: string }) => check === 'migrations')).toMatchObject({
      status: 'ok',
      message: expect.stringContaining(
        `and of version ${version}, beside which this one works: 9001-callsigns`,
      ),
    });
    // The newer version starts again.
    expect(await database.migrate(ofNewerVersion)).toEqual([]);
    expect(
      await database.all(sql`SELECT email, callsign FROM members WHERE site_id = ${site.siteId}`),
    ).toEqual([{ email: 'ada@example.com', callsign: null }]);
  });

  test('a process learns that a newer version has migrated the database, and operators see it', async () => {
    const { databaseUrl } = await start();
    const server = await startTestServer(store, { databaseUrl });
    onTestFinished(() => server.stop());
    const site = await server.createSite();
    const { browser } = await anOperator(server, site.siteId);
    const me = async () => (await browser.request('GET', 'me')).body.data;
    expect(await me()).toMatchObject({ version, newerVersion: null });
    expect((await nextCommandsOn(databaseUrl)(['migrate'])).exitCode).toBe(0);
    expect(await me()).toMatchObject({ version, newerVersion: nextVersion });
  });

  test('a database whose migrations do not name their versions is used and upgraded', async () => {
    const { databaseUrl, database, run } = await start();
    await database.run(sql`ALTER TABLE migrations DROP COLUMN version`);
    if (store.dialect === 'sqlite') {
      const file = `${sqlitePath(databaseUrl)}-backup`;
      expect((await run(['backup', file])).exitCode).toBe(0);
      expect((await commandsOn(`sqlite:${file}-restored`)(['restore', file])).exitCode).toBe(0);
    }
    const server = await startTestServer(store, { databaseUrl });
    onTestFinished(() => server.stop());
    const site = await server.createSite();
    const { browser } = await anOperator(server, site.siteId);
    const me = async () => (await browser.request('GET', 'me')).body.data;
    expect(await me()).toMatchObject({ newerVersion: null });
    expect((await nextCommandsOn(databaseUrl)(['migrate'])).exitCode).toBe(0);
    expect(await me()).toMatchObject({ newerVersion: nextVersion });
  });

  test('this version does not start beside the tables of a newer one that does not allow it', async () => {
    const { databaseUrl, database, run } = await start();
    await database.migrate([...ofThisVersion, newer('9001-callsigns')]);
    await expect(startTestServer(store, { databaseUrl })).rejects.toThrow('Start the newer version.');
    for (const command of [['site', 'list'], ['migrate'], ['migrate', '--plan']]) {
      const { exitCode, json } = await run([...command, '--json']);
      expect([command, exitCode, json.error.code]).toEqual([command, 1, 'migration_mismatch']);
    }
  });

  test('a plan changes nothing, and a migration says what it does', async () => {
    const databaseUrl = await store.freshUrl();
    const run = commandsOn(databaseUrl);
    expect((await run(['migrate', '--plan'])).stdout).toBe(
      'The database is empty: ./gatehouse migrate creates its tables.\n',
    );
    expect((await run(['site', 'list', '--json'])).json.error.code).toBe('database_missing');

    const database = openDatabase(databaseUrl);
    onTestFinished(() => database.close());
    await database.migrate(ofThisVersion);
    const before = await appliedMigrations(database);
    const pending = next.map(({ name }) => name);
    const nextRun = nextCommandsOn(databaseUrl);
    const { json } = await nextRun(['migrate', '--plan', '--json']);
    expect(json.migrations.map(({ name }: { name: string }) => name)).toEqual(pending);
    expect(json.migrations[0].steps[0].effects[0]).toMatchObject({ lock: expect.any(String) });
    const { stdout } = await nextRun(['migrate', '--plan']);
    for (const name of pending) expect(stdout).toContain(name);
    expect(stdout).toContain('Stop every service of the version before first');
    expect(await appliedMigrations(database)).toEqual(before);

    const migrated = await nextRun(['migrate']);
    for (const name of pending) expect(migrated.stderr).toContain(`${name}: `);
    expect(migrated.stdout).toBe(pending.map((name) => `Applied ${name}\n`).join(''));
    expect((await nextRun(['migrate', '--plan'])).stdout).toBe(
      'Nothing to apply: the tables are up to date.\n',
    );
  });

  test('an upgrade keeps all rows, also those that the version before writes beside the new tables', async () => {
    const { databaseUrl, database } = await start();
    const server = await startTestServer(store, { databaseUrl });
    onTestFinished(() => server.stop());
    const site = await server.createSite();
    const member = { email: 'ada@example.com', displayName: 'Ada' };
    expect((await site.post('/members', member)).status).toBe(201);
    await database.run(sql`
      INSERT INTO passkey_challenges (site_id, browser_hash, purpose, challenge, expires_at)
      VALUES (${site.siteId}, 'hash', 'add', 'x', '2126-01-05T08:00:00.000Z')`);
    const [allowing] = next;
    await database.migrate([...ofThisVersion, allowing!]);
    expect((await site.post('/members', { ...member, email: 'bob@example.com' })).status).toBe(201);
    await server.stop();

    const run = nextCommandsOn(databaseUrl);
    const { exitCode, stdout } = await run(['serve'], { env: { GATEHOUSE_PORT: '0' } });
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining(`"migration ${next.at(-1)!.name}: `)]);
    expect(
      await database.all(sql`
        SELECT email, display_name, callsign FROM members WHERE site_id = ${site.siteId} ORDER BY email`),
    ).toEqual([
      { email: 'ada@example.com', display_name: 'Ada', callsign: 'Ada' },
      { email: 'bob@example.com', display_name: 'Ada', callsign: null },
    ]);
    const challenges = () =>
      database.all(sql`
        SELECT browser_hash, purpose, nonce, expires_at FROM passkey_challenges WHERE site_id = ${site.siteId}`);
    const challenge = { browser_hash: 'hash', nonce: 'x', expires_at: '2126-01-05T08:00:00.000Z' };
    expect(await challenges()).toEqual([{ ...challenge, purpose: 'add' }]);
    const purpose = (value: string) =>
      database.run(sql`UPDATE passkey_challenges SET purpose = ${value} WHERE site_id = ${site.siteId}`);
    await purpose('confirm');
    await expect(purpose('other')).rejects.toThrow();
    expect((await commandsOn(databaseUrl)(['site', 'list', '--json'])).json.error.code).toBe(
      'migration_mismatch',
    );
  });
});
