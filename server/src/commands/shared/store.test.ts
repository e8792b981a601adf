import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { commandsOn, temporaryFile } from '../../../test/command-line.ts';
import { nextCommandsOn, nextMigrations } from '../../../test/next-version.ts';
import { forEachStore, stopInTheEnd } from '../../../test/stores.ts';
import { migrationsFor } from '../../storage/migrations/migrations.ts';
import { openDatabase } from '../../storage/open.ts';

/** Every kind of command that opens the database, except `migrate` and `serve`. */
const commands = [
  ['site', 'list'],
  ['site', 'create', '--slug', 'choir'],
  ['site', 'update', 'club', '--title', 'Club'],
  ['key', 'list'],
  ['key', 'create', '--name', 'Shop'],
  ['operator', 'list'],
  ['operator', 'invite', 'ada@example.com', '--role', 'owner'],
];

forEachStore((store) => {
  const open = (databaseUrl: string) => {
    const database = openDatabase(databaseUrl);
    stopInTheEnd(() => database.close());
    return database;
  };

  test('a command changes nothing in the database of an earlier version', async () => {
    const databaseUrl = await store.migratedUrl();
    const run = nextCommandsOn(databaseUrl);
    const database = open(databaseUrl);
    const before = await database.all(sql`SELECT name FROM migrations ORDER BY name`);

    const people = temporaryFile('people.csv', 'email\nada@example.com\n');
    const sync = ['scope', 'sync', people, '--collection', 'Team'];
    for (const command of [...commands, sync, [...sync, '--dry-run']]) {
      expect([command, await run(command)]).toMatchObject([
        command,
        {
          exitCode: 1,
          stdout: '',
          stderr:
            'gatehouse: The database does not have the changes of this version yet. Stop the service. Then run ' +
            './gatehouse migrate, or start this version with ./gatehouse serve.\n',
        },
      ]);
    }
    expect((await run(['site', 'list', '--json'])).json.error.code).toBe('migrations_pending');
    expect(await database.all(sql`SELECT name FROM migrations ORDER BY name`)).toEqual(before);
    expect((await run(['migrate', '--json'])).json).toEqual({
      applied: nextMigrations(store.dialect).map(({ name }) => name),
    });
    expect(await run(['site', 'list', '--json'])).toMatchObject({ exitCode: 0, json: [] });
  });

  test('a command rejects the database of a later version', async () => {
    const databaseUrl = await store.migratedUrl();
    const database = open(databaseUrl);
    await database.migrate([...migrationsFor(store.dialect), ...nextMigrations(store.dialect)]);
    for (const command of commands) {
      const { exitCode, json } = await commandsOn(databaseUrl)([...command, '--json']);
      expect([command, exitCode, json.error.code]).toEqual([command, 1, 'migration_mismatch']);
    }
  });

  test('only a command that starts an installation creates its tables', async () => {
    const run = commandsOn(await store.freshUrl());
    for (const command of [
      ['site', 'list'],
      ['key', 'create', '--name', 'Shop'],
      ['operator', 'list'],
    ]) {
      const { exitCode, json } = await run([...command, '--json']);
      expect([command, exitCode, json.error.code]).toEqual([command, 1, 'database_missing']);
      expect(json.error.message).toContain('Start the service with ./gatehouse serve, which creates');
    }
    expect((await run(['site', 'create', '--slug', 'club', '--json'])).json).toMatchObject({ slug: 'club' });
    expect((await run(['migrate', '--json'])).json).toEqual({ applied: [] });
  });
});
